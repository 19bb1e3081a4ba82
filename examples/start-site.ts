/** The site that an example uses: the given address, or the bundled site if there is none. */
import { serveDemoSite } from "./demo-site/site.ts";

export interface StartSite {
  readonly url: string;
  /** For `createEngine`: the bundled site is on loopback, which an engine reaches only if allowed to. */
  readonly network: { readonly allowHosts?: string[] };
  close(): Promise<void>;
}

export async function startSite(address: string | undefined): Promise<StartSite> {
  if (address !== undefined) return { url: address, network: {}, close: async () => {} };
  const site = await serveDemoSite();
  return { url: site.url, network: { allowHosts: ["127.0.0.1"] }, close: () => site.close() };
}
