/** The address with these parameters beside its own; undefined ones are left out. */
export function withParameters(address: string, parameters: Readonly<Record<string, unknown>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  }
  return url.href;
}
