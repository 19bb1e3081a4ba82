/** The values of `format` that are checked; others are ignored. Every pattern runs in linear time. */

const date = /^(\d{4})-(\d{2})-(\d{2})$/;
const time = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

function isDate(text: string): boolean {
  const [, year, month, day] = date.exec(text) ?? [];
  if (year === undefined) return false;
  const parsed = new Date(`${text}T00:00:00Z`);
  return (
    !Number.isNaN(parsed.getTime()) && parsed.getUTCMonth() + 1 === Number(month) && parsed.getUTCDate() === Number(day)
  );
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  return at > 0 && at <= 64 && !/[\s@]/.test(text.slice(0, at)) && isHostname(text.slice(at + 1));
}

function isHostname(text: string): boolean {
  return (
    text.length <= 253 &&
    text.split(".").every((label) => /^[\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u.test(label))
  );
}

const checks: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: (text) => time.test(text),
  "date-time": (text) => isDate(text.slice(0, 10)) && /^[t ]$/i.test(text.charAt(10)) && time.test(text.slice(11)),
  duration: (text) => /^P(?!$)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/.test(text),
  email: isEmail,
  "idn-email": isEmail,
  hostname: isHostname,
  "idn-hostname": isHostname,
  ipv4: (text) => /^(\d{1,3})(\.\d{1,3}){3}$/.test(text) && text.split(".").every((part) => Number(part) <= 255),
  ipv6: (text) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`),
  uri: (text) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text) && URL.canParse(text),
  iri: (text) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text) && URL.canParse(text),
  url: (text) => URL.canParse(text),
  "uri-reference": (text) => !/\s/.test(text) && URL.canParse(text, "http://a.example"),
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
};

/** Longer texts do not match any format. */
const maxLength = 10_000;

export function hasFormat(text: string, format: string): boolean {
  const check = Object.hasOwn(checks, format) ? checks[format] : undefined;
  return check === undefined || (text.length <= maxLength && check(text));
}
