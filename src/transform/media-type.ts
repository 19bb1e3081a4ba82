// What kind of body a response has (stub).
export type Kind = "html" | "text" | "json" | "xml" | "pdf" | "markdown" | "unsupported";
export function detectKind(_bytes: Uint8Array, contentType: string | undefined): Kind {
  if (contentType?.includes("json")) return "json";
  if (contentType?.includes("pdf")) return "pdf";
  if (contentType?.includes("text/plain")) return "text";
  return "html";
}
