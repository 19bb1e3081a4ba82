/** Scripts that look for cookie pop-ups in a page, and remove those that are left. */

const words =
  "cookie|consent|gdpr|ccpa|privacy|onetrust|didomi|cmp|cybot|usercentrics|truste|trustarc|sp_message|iubenda|osano|klaro|termly|quantcast";

/** What such a pop-up speaks of, in a regular expression: most languages say "cookie", these have words of their own. */
const subjects = [
  "\\bcookies?\\b|consent|rgpd|dsgvo|einwilligung|privacidad|confidentialit",
  "çerez|eväste|sütik|ciastecz|slapuk|sīkdat|küpsis|kolačić|piškotk|informasjonskaps|\\bkakor\\b|vafrakök",
  "куки|кукі|бисквитк|колачић|колачињ|עוגיות|ملفات تعريف الارتباط|کوکی|クッキー|쿠키|คุกกี้|कुकी",
].join("|");

/** True if some element looks like a cookie pop-up, by its name or its text. */
export const hasConsentDialog = `(() => {
  const named = /(?:^|[-_\\s])(?:${words})|cookie|consent/i;
  const said = /${subjects}/i;
  const top = document.body;
  if (!top) return false;
  let looked = 0;
  for (const element of top.querySelectorAll("div, section, aside, dialog, form, iframe, [role=dialog]")) {
    if ((looked += 1) > 5000) return false;
    const name = element.id + " " + (element.getAttribute("class") || "") + " " + (element.localName === "iframe" ? element.src.slice(0, 200) : "");
    if (named.test(name) && element.getClientRects().length > 0) return true;
    if (element.shadowRoot && /usercentrics|cmp|consent|cookie/i.test(name)) return true;
  }
  for (const element of top.children) {
    const style = getComputedStyle(element);
    if ((style.position === "fixed" || style.position === "sticky") && said.test((element.textContent || "").slice(0, 3000))) return true;
  }
  return false;
})()`;

/**
 * Removes elements that cover the page and mention cookies, with the backdrops beneath them, and lets the page scroll
 * again. It has to spare applications, which also cover the page with one element that fills the window, and link to
 * their cookie policy, and menus that stay in place, one of whose links may be about cookies.
 */
export const removeConsentOverlays = `(() => {
  const named = /cookie|consent|gdpr|onetrust|didomi|cybot|usercentrics|truste|sp_message|qc-cmp|iubenda|osano|klaro|termly/i;
  const said = /${subjects}/i;
  let removed = 0;
  const gone = [];
  const all = (document.body?.textContent || "").trim().length;
  const isPage = (element, text) => text.length > all * 0.8 || element.querySelector("h1, nav, main, article") !== null;
  const isMenu = (element, text) => {
    const onward = 'a[href]:not([href^="#"], [href^="javascript:" i])';
    const links = [...element.querySelectorAll(onward)].map((link) => link.textContent);
    return links.length > (element.matches("nav") ? 0 : 2) && links.join("").replace(/\\s/g, "").length > text.replace(/\\s/g, "").length * 0.7;
  };
  for (const element of document.querySelectorAll("body *")) {
    if (gone.length > 50) break;
    const style = getComputedStyle(element);
    if (style.position !== "fixed" && style.position !== "sticky" && !(element.localName === "dialog" && element.open)) continue;
    if (element.closest("main, article") && style.position === "sticky") continue;
    const name = element.id + " " + (element.getAttribute("class") || "");
    const text = (element.textContent || "").trim();
    const isNamed = named.test(name) && !element.querySelector("main, article");
    const isSaid = said.test(text.slice(0, 500));
    const says = isSaid && element.querySelector("button, a, input, [role=button]") && !isPage(element, text);
    const isNamedPopUp = isNamed && (isSaid || !isMenu(element, text));
    const speaks = text.length < 6000 && (isNamedPopUp || (says && !isMenu(element, text)));
    const box = element.getBoundingClientRect();
    const veil = text === "" && !element.querySelector("img, video, canvas, iframe, input") && box.width >= innerWidth * 0.9 && box.height >= innerHeight * 0.9;
    if (speaks) { gone.push(element); removed += 1; } else if (veil) gone.push(element);
  }
  for (const element of gone) element.remove();
  if (gone.length > 0) for (const root of [document.documentElement, document.body]) {
    if (getComputedStyle(root).overflowY === "hidden") root.style.setProperty("overflow", "visible", "important");
  }
  return removed;
})()`;
