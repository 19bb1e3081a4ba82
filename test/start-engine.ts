import { onTestFinished } from "vitest";
import { type Billing, type Charge, createEngine, type Engine, type EngineOptions } from "../src/index.ts";
import { startTestSite, type TestSite } from "../src/testing/index.ts";
import type { TestAnswer, TestRoutes } from "../src/testing/test-site-answer.ts";

/** What is called when a test has ended. A test that runs beside others has to give its own. */
export type WhenFinished = typeof onTestFinished;

/** A site on loopback that ends with the test. */
export async function site(routes: TestRoutes = {}, whenFinished: WhenFinished = onTestFinished): Promise<TestSite> {
  const started = await startTestSite(routes);
  whenFinished(() => started.close());
  return started;
}

/** An engine that may reach loopback and ends with the test. */
export function engineFor(options: EngineOptions = {}, whenFinished: WhenFinished = onTestFinished): Engine {
  const engine = createEngine({ ...options, network: { allowHosts: ["127.0.0.1"], ...options.network } });
  whenFinished(() => engine.close());
  return engine;
}

/** A page with a heading, a sentence and links. */
export function page(title: string, links: readonly string[] = []): string {
  const list = links.map((href) => `<li><a href="${href}">${href}</a></li>`).join("");
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>
    <p>This page says enough about ${title} to be taken for a page with content of its own.</p><ul>${list}</ul></main></body></html>`;
}

/** An answer that is no page, and final: where a connection was lost, jobs try again, which takes seconds. */
export const noPage: TestAnswer = { headers: { "content-type": "image/png" }, body: "\x89PNG\r\n\x1a\n" };

/** The path of each document's page, sorted. */
export function paths(documents: readonly { metadata: { url?: string; sourceURL?: string } }[]): string[] {
  return documents.map(({ metadata }) => new URL(metadata.url ?? metadata.sourceURL ?? "").pathname).sort();
}

/** A host's billing that allows everything and keeps the charges. */
export function collectCharges(): { billing: Billing; charges: Charge[] } {
  const charges: Charge[] = [];
  return { charges, billing: { authorize: () => ({ allowed: true }), charge: (charge) => void charges.push(charge) } };
}
