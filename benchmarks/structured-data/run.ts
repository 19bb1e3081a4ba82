/**
 * Measures the benefit of reading declared data first in extract jobs: tokens saved, fields right and wrong.
 *
 *   node benchmarks/structured-data/run.ts
 *
 * Each page is extracted twice: as it is, and without its declared data. The model is a stand-in that knows the right
 * answers, so that every wrong field comes from the declared data; it counts one token for every four characters.
 */
import { isDeepStrictEqual } from "node:util";
import { createEngine } from "../../src/index.ts";
import { fakeModel, startTestSite } from "../../src/testing/index.ts";
import { type Syntax, type Trouble, writePage } from "./pages.ts";
import { type Thing, things } from "./things.ts";

const syntaxes: readonly Syntax[] = ["json-ld", "microdata", "rdfa"];
const troubles: readonly Trouble[] = ["plain", "graph", "related", "conflict"];

interface Row {
  readonly kind: string;
  readonly trouble: Trouble;
  fields: number;
  right: number;
  declared: number;
  wrong: number;
  tokens: number;
  tokensWithout: number;
}

const cases = things.flatMap((thing) =>
  troubles.flatMap((trouble) => syntaxes.map((syntax) => ({ thing, trouble, syntax }))),
);
const site = await startTestSite({
  "*": ({ url }) => {
    const { thing, trouble, syntax } = cases[Number(url.searchParams.get("case"))]!;
    return writePage(thing, url.searchParams.has("bare") ? "none" : syntax, trouble);
  },
});
const rows = new Map<string, Row>();

for (const [index, { thing, trouble }] of cases.entries()) {
  const withMarkup = await extract(thing, `${site.url}/?case=${index}`);
  const without = await extract(thing, `${site.url}/?case=${index}&bare=1`);
  const key = `${thing.kind} ${trouble}`;
  const row = rows.get(key) ?? {
    kind: thing.kind,
    trouble,
    fields: 0,
    right: 0,
    declared: 0,
    wrong: 0,
    tokens: 0,
    tokensWithout: 0,
  };
  rows.set(key, row);
  row.tokens += withMarkup.tokens;
  row.tokensWithout += without.tokens;
  for (const [name, expected] of Object.entries(thing.expected)) {
    row.fields++;
    if (isDeepStrictEqual(withMarkup.data[name], expected)) row.right++;
    else row.wrong++;
    if (withMarkup.declared.has(name)) row.declared++;
  }
}
await site.close();

console.table([...rows.values()].map((row) => ({ ...row, saved: percent(1 - row.tokens / row.tokensWithout) })));
const sum = (field: "fields" | "right" | "declared" | "wrong" | "tokens" | "tokensWithout") =>
  [...rows.values()].reduce((total, row) => total + row[field], 0);
console.log(
  `${cases.length} pages, ${sum("fields")} fields, ${sum("declared")} from declared data: ${sum("right")} right, ${sum("wrong")} wrong; ` +
    `${sum("tokens")} tokens instead of ${sum("tokensWithout")} (${percent(1 - sum("tokens") / sum("tokensWithout"))} saved)`,
);

async function extract(thing: Thing, url: string) {
  const model = fakeModel(({ schema }) => {
    const asked = Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});
    return Object.fromEntries(asked.map((name) => [name, thing.expected[name] ?? null]));
  });
  const engine = createEngine({ model, network: { allowHosts: ["127.0.0.1"] } });
  try {
    const job = await engine.extract({ urls: [url], schema: thing.schema, showSources: true });
    const status = await job.wait();
    const details = Object.entries(status.sourceDetails ?? {});
    const declared = new Set(
      details
        .filter(([, from]) => from.some(({ from }) => from === "structured"))
        .map(([field]) => field.split(/[.[]/)[0]!),
    );
    return { data: status.data as Record<string, unknown>, declared, tokens: status.tokensUsed };
  } finally {
    await engine.close();
  }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
