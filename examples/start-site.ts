/** Where an example works: the address it was given, or the bundled site when it was given none. */
import { serveDemoSite } from "./demo-site/site.ts";

export interface StartSite {
  readonly url: string;
  /** For `createEngine`: the bundled site is on loopback, which an engine does not reach unless it is told to. */
  readonly network: { readonly allowHosts?: string[] };
  close(): Promise<void>;
}

export async function startSite(address: string | undefined): Promise<StartSite> {
  if (address !== undefined) return { url: address, network: {}, close: async () => {} };
  const site = await serveDemoSite();
  return { url: site.url, network: { allowHosts: ["127.0.0.1"] }, close: () => site.close() };
}
