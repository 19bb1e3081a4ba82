/** Statuses with which a server says that there is no such page. Other failures may pass. */
export function isGone(statusCode: number): boolean {
  return statusCode === 404 || statusCode === 410;
}
