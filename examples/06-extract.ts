/**
 * Takes typed data out of pages. What pages declare about themselves needs no language model; everything else does.
 * `node examples/06-extract.ts`
 */
import { z } from "zod";
import { createEngine } from "../src/index.ts"; // in your program: from "crawlcore"
import { startTestSite } from "../src/testing/index.ts"; // in your program: from "crawlcore/testing"

const product = (name: string, price: string) => `<title>${name} | Shop</title><h1>${name}</h1>
  <script type="application/ld+json">${JSON.stringify({
    "@context": "https://schema.org",
    "@type": "Product",
    name,
    offers: { "@type": "Offer", price, priceCurrency: "EUR", availability: "https://schema.org/InStock" },
  })}</script>`;
const site = await startTestSite({
  "/p/kettle": product("Kettle", "49.50"),
  "/p/pan": product("Pan", "30.00"),
});

// With `model: openai("…")`, or any other model of the AI SDK, the model is asked for what the pages do not declare.
const engine = createEngine({ network: { allowHosts: ["127.0.0.1"] } });
const schema = z.object({
  products: z.array(z.object({ name: z.string(), price: z.number(), currency: z.string(), inStock: z.boolean() })),
});

// A glob such as `${site.url}/*` stands for all pages of the site that it matches.
const job = await engine.extract({ urls: [`${site.url}/p/kettle`, `${site.url}/p/pan`], schema, showSources: true });
const { status, data, sources, tokensUsed } = await job.wait();
console.log(status, data);
console.log("price of the first from", sources?.["products[0].price"]);
console.log(`${tokensUsed} tokens`);

await engine.close();
await site.close();
