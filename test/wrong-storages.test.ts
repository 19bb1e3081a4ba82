/** The storage suite tells a driver that is wrong in one place from one that is right. */

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { memoryStorage } from "../src/index.ts";
import type { JobStore, NewJob, NewPage, PageCompletion } from "../src/ports/job-store.ts";
import type { Charge } from "../src/ports/ledger.ts";
import type { PageVersions } from "../src/ports/page-versions.ts";
import type { Storage } from "../src/ports/storage.ts";
import { testStorage } from "../src/testing/index.ts";
import { firstFailure } from "./first-failure.ts";
import { randomNumbers } from "./random-numbers.ts";

const { next } = randomNumbers(48);

const failureOf = (create: () => Storage) =>
  firstFailure((test) => testStorage({ test, durable: false, create: () => ({ storage: create() }) }));

const withJobs = (change: (storage: Storage) => Partial<JobStore>) => (storage: Storage) => ({
  ...storage,
  jobs: { ...storage.jobs, ...change(storage) },
});

const completing = (change: (completion: PageCompletion) => PageCompletion) =>
  withJobs(({ jobs }) => ({ completePage: (lease, completion) => jobs.completePage(lease, change(completion)) }));

const admitting = (change: (page: NewPage) => NewPage) =>
  withJobs(({ jobs }) => ({
    admitPages: (id, admission) => jobs.admitPages(id, { ...admission, pages: admission.pages.map(change) }),
  }));

const charging =
  (change: (charge: Charge) => Charge) =>
  (storage: Storage): Storage => ({
    ...storage,
    ledger: { ...storage.ledger, charge: (charge, outbox) => storage.ledger.charge(change(charge), outbox) },
  });

const withVersions =
  (change: (versions: PageVersions) => Partial<PageVersions>) =>
  ({ versions, ...storage }: Storage): Storage =>
    versions === undefined ? storage : { ...storage, versions: { ...versions, ...change(versions) } };

/** What a job lists, of all jobs. */
const listing = (method: "listFailures" | "listLeftOut") =>
  withJobs(({ jobs }) => {
    const ids: string[] = [];
    return {
      createJob: (job, ...rest) => {
        if (!ids.includes(job.id)) ids.push(job.id);
        return jobs.createJob(job, ...rest);
      },
      [method]: async () => (await Promise.all(ids.map((id) => jobs[method](id)))).flat(),
    };
  });

/** Finds workers as SQL's LIKE would, with what it was asked for as the beginning. */
const byPrefix = (method: "renewLeases" | "releaseLeases") =>
  withJobs(({ jobs }) => {
    const workers = new Set<string>();
    return {
      claimPages: (id, claim) => {
        workers.add(claim.worker);
        return jobs.claimPages(id, claim);
      },
      [method]: async (asked: string, rest: never) => {
        for (const worker of workers) if (worker.startsWith(asked)) await jobs[method](worker, rest);
      },
    };
  });

/** As much of a text as MySQL keeps in a TEXT; and in a VARCHAR(255). */
const cut = (text: string) => text.slice(0, 65_535);
const short = (text: string) => text.slice(0, 255);

const creating = (change: (job: NewJob) => NewJob, changePage = (page: NewPage) => page) =>
  withJobs(({ jobs }) => ({
    createJob: (job, pages, outbox) => jobs.createJob(change(job), pages.map(changePage), outbox),
  }));

const wrong: Readonly<Record<string, (storage: Storage) => Storage>> = {
  "lists a known key once more though no repeat is asked for": withJobs(({ jobs }) => ({
    admitPages: (id, admission) => jobs.admitPages(id, { ...admission, duplicates: "repeat" }),
  })),
  "forgets the options of pages that come later": admitting(({ options: _, ...page }) => page),
  "forgets the depth of pages that come later": admitting((page) => ({ ...page, depth: 0 })),
  "forgets the expiry of a job to which pages come without one": withJobs(({ jobs }) => ({
    admitPages: (id, admission) => jobs.admitPages(id, { expiresAt: Number.MAX_SAFE_INTEGER, ...admission }),
  })),
  "lets no page wait where a depth is asked for": withJobs(({ jobs }) => {
    let later = 0;
    return {
      retryPage(lease, notBefore) {
        later = Math.max(later, notBefore);
        return jobs.retryPage(lease, notBefore);
      },
      claimPages: (id, claim) =>
        jobs.claimPages(id, claim.maxDepth === undefined ? claim : { ...claim, now: Math.max(claim.now, later) }),
    };
  }),
  "gives a key to a page that failed": completing((completion) =>
    completion.outcome === "failed" ? { ...completion, finalKey: undefined } : completion,
  ),
  "takes no key for the name of a key": charging((charge) => ({
    ...charge,
    apiKey: charge.apiKey === "null" ? null : charge.apiKey,
  })),
  "counts the attempts of workers that died": withJobs(({ jobs }) => ({
    releaseLeases: (worker) => jobs.releaseLeases(worker),
  })),
  "finds the least depth of all pages that have not failed": withJobs(({ jobs }) => {
    let least = Number.MAX_SAFE_INTEGER;
    return {
      async completePage(lease, completion) {
        const before = await jobs.leastDepth(lease.jobId);
        if (completion.outcome === "succeeded" && before !== null) least = Math.min(least, before);
        return jobs.completePage(lease, completion);
      },
      async leastDepth(id) {
        const depth = await jobs.leastDepth(id);
        return depth === null ? null : Math.min(depth, least);
      },
    };
  }),
  "keeps depths in 16 bits": creating(
    (job) => job,
    (page) => ({ ...page, depth: Math.min(page.depth, 32_767) }),
  ),
  "hands out pages of every depth": withJobs(({ jobs }) => ({
    claimPages: (id, claim) => jobs.claimPages(id, { ...claim, maxDepth: undefined }),
  })),
  "knows no depth below 0": admitting((page) => ({ ...page, depth: Math.max(0, page.depth) })),
  "forgets the options of discovered pages": completing(({ discovered, ...rest }) => ({
    ...rest,
    discovered: discovered.map(({ options: _, ...page }) => page),
  })),
  "reverses discovered pages": completing(({ discovered, ...rest }) => ({
    ...rest,
    discovered: [...discovered].reverse(),
  })),
  "forgets the memo of a dropped page": completing((completion) =>
    completion.outcome === "dropped" ? { ...completion, memo: undefined } : completion,
  ),
  "forgets the memo of a failed page": completing((completion) =>
    completion.outcome === "failed" ? { ...completion, memo: undefined } : completion,
  ),
  "forgets what a failed page found": completing((completion) =>
    completion.outcome === "failed" ? { ...completion, discovered: [] } : completion,
  ),
  "forgets which crawl met a page": completing(({ version, ...rest }) => ({
    ...rest,
    version: version && { ...version, metIn: undefined },
  })),
  "writes a document as it understands it": completing((completion) =>
    completion.document === undefined
      ? completion
      : { ...completion, document: JSON.stringify(JSON.parse(completion.document)) },
  ),
  "writes the version of a duplicate": withJobs(({ jobs, versions }) => ({
    async completePage(lease, completion) {
      const result = await jobs.completePage(lease, completion);
      if (result.status === "duplicate" && completion.version) await versions?.put(completion.version);
      return result;
    },
  })),
  "counts pages where it should count results": withJobs(({ jobs }) => {
    let listed = 0;
    return {
      async completePage(lease, completion) {
        const result = await jobs.completePage(lease, completion);
        return result.position === undefined ? result : { ...result, position: listed++ };
      },
    };
  }),
  "charges for a job that it does not close": withJobs(({ jobs, ledger }) => ({
    async closeJob(id, closing) {
      const closed = await jobs.closeJob(id, closing);
      if (!closed && closing.charge) await ledger.charge(closing.charge);
      return closed;
    },
  })),
  "shows the failures of all jobs": listing("listFailures"),
  "shows the left-out URLs of all jobs": listing("listLeftOut"),
  "renews the leases of workers whose names begin alike": byPrefix("renewLeases"),
  "releases the leases of workers whose names begin alike": byPrefix("releaseLeases"),
  "changes a record that it gave away": withJobs(({ jobs }) => {
    const given = new Map<string, object>();
    return {
      async getJob(id, now) {
        const job = await jobs.getJob(id, now);
        if (job === null) return null;
        const same = Object.assign(given.get(id) ?? {}, job);
        given.set(id, same);
        return same;
      },
    };
  }),
  "keeps whole credits only": charging((charge) => ({ ...charge, credits: Math.round(charge.credits) })),
  "keeps tokens in 32 bits": charging((charge) => ({ ...charge, tokens: charge.tokens | 0 })),
  "shows the usage of all teams": (storage) => ({
    ...storage,
    ledger: {
      ...storage.ledger,
      usage: async (query) => [
        ...(await storage.ledger.usage(query)),
        ...(await storage.ledger.usage({ ...query, team: "team-b" })),
      ],
    },
  }),
  "caches under team and key written one after the other": (storage) => ({
    ...storage,
    cache: {
      get: ({ team, key }) => storage.cache.get({ team: "", key: team + key }),
      put: (entry) => storage.cache.put({ ...entry, team: "", key: entry.team + entry.key }),
    },
  }),
  "caches the caller's buffer": (storage) => {
    const bodies = new Map<string, Uint8Array>();
    const nameOf = ({ team, key }: { team: string; key: string }) => JSON.stringify([team, key]);
    return {
      ...storage,
      cache: {
        async get(query) {
          const found = await storage.cache.get(query);
          return found === null ? null : { ...found, body: bodies.get(nameOf(query)) ?? found.body };
        },
        put(entry) {
          bodies.set(nameOf(entry), entry.body);
          return storage.cache.put(entry);
        },
      },
    };
  },
  "forgets under which tag crawls have met pages": withVersions((versions) => ({
    listUnseen: (query) => versions.listUnseen({ ...query, tag: null }),
  })),
  "finds no page by its description": ({ index, ...storage }) =>
    index === undefined
      ? storage
      : { ...storage, index: { ...index, put: (page) => index.put({ ...page, description: "" }) } },
  "keeps a limit in 32 bits": withJobs(({ jobs }) => ({
    createJob: (job, ...rest) => jobs.createJob({ ...job, limit: Math.min(job.limit, 2 ** 31 - 1) }, ...rest),
  })),
  "reads from the beginning when that is beyond 32 bits": withJobs(({ jobs }) => ({
    readResults: (id, range) => jobs.readResults(id, { ...range, skip: range.skip | 0 }),
  })),
  "compares the keys of pages as a language does": completing(({ discovered, ...rest }) => ({
    ...rest,
    discovered: discovered.map((page) => ({ ...page, key: page.key.toLowerCase() })),
  })),
  "compares the names of teams as a language does": charging((charge) => ({ ...charge, team: charge.team.trimEnd() })),
  "compares the names of keys as a language does": charging((charge) => ({
    ...charge,
    apiKey: charge.apiKey?.normalize("NFC") ?? null,
  })),
  "compares tags as a language does": withVersions((versions) => ({
    put: (version) => versions.put({ ...version, tag: version.tag?.toLowerCase() ?? null }),
    getLast: (page) => versions.getLast({ ...page, tag: page.tag?.toLowerCase() ?? null }),
  })),
  "finds a team's pages for one that is called alike": ({ index, ...storage }) =>
    index === undefined
      ? storage
      : {
          ...storage,
          index: {
            ...index,
            put: (page) => index.put({ ...page, team: page.team.toLowerCase() }),
            search: (query) => index.search({ ...query, team: query.team.toLowerCase() }),
          },
        },
  "cuts off long requests": creating((job) => ({ ...job, request: cut(job.request) })),
  "cuts off long keys": creating(
    (job) => job,
    (page) => ({ ...page, key: short(page.key) }),
  ),
  "cuts off long final keys": completing(({ finalKey, ...rest }) =>
    finalKey === undefined ? rest : { ...rest, finalKey: short(finalKey) },
  ),
  "cuts off long memos": completing(({ memo, ...rest }) => (memo === undefined ? rest : { ...rest, memo: cut(memo) })),
  "cuts off long documents": completing(({ document, ...rest }) =>
    document === undefined ? rest : { ...rest, document: cut(document) },
  ),
  "cuts off long results": withJobs(({ jobs }) => ({
    closeJob: (id, { result, ...rest }) =>
      jobs.closeJob(id, result === undefined ? rest : { ...rest, result: cut(result) }),
  })),
  "cuts off long items": ({ outbox, ...storage }) => ({
    ...storage,
    outbox: {
      ...outbox,
      add: (items) => outbox.add(items.map((item) => ({ ...item, payload: cut(item.payload) }))),
    },
  }),
  "cuts off long bodies": ({ cache, ...storage }) => ({
    ...storage,
    cache: { ...cache, put: (page) => cache.put({ ...page, body: page.body.subarray(0, 65_535) }) },
  }),
  "cuts off long versions": withVersions((versions) => ({
    put: (version) => versions.put({ ...version, markdown: cut(version.markdown) }),
  })),
  "keeps the versions of completed pages for ever": completing(({ version, ...rest }) =>
    version === undefined ? rest : { ...rest, version: { ...version, expiresAt: Number.MAX_SAFE_INTEGER } },
  ),
  "keeps the ends of leases in whole seconds": withJobs(({ jobs }) => ({
    claimPages: (id, claim) =>
      jobs.claimPages(id, { ...claim, leaseUntil: claim.leaseUntil - (claim.leaseUntil % 1000) }),
  })),
  "loses the letters of memos that MySQL's utf8 does not hold": completing(({ memo, ...rest }) =>
    memo === undefined ? rest : { ...rest, memo: memo.replace(/[\u{10000}-\u{10ffff}]/gu, "?") },
  ),
  "loses the letters of keys' names that MySQL's utf8 does not hold": charging((charge) => ({
    ...charge,
    apiKey: charge.apiKey?.replace(/[\u{10000}-\u{10ffff}]/gu, "?") ?? null,
  })),
  "compares final keys as a language does": completing(({ finalKey, ...rest }) =>
    finalKey === undefined ? rest : { ...rest, finalKey: finalKey.toLowerCase() },
  ),
  "compares sites as a language does": withVersions((versions) => ({
    put: ({ metIn, ...version }) =>
      versions.put(metIn ? { ...version, metIn: { ...metIn, site: metIn.site.trimEnd() } } : version),
    listUnseen: (query) => versions.listUnseen({ ...query, site: query.site.trimEnd() }),
  })),
  "shows a team the failed deliveries of one that is called alike": ({ outbox, ...storage }) => ({
    ...storage,
    outbox: {
      ...outbox,
      async listFailed({ team, jobId, skip = 0, limit = Number.MAX_SAFE_INTEGER }) {
        const items = await outbox.listFailed({ team: team.trimEnd() });
        const ofJob = items.filter((item) => jobId === undefined || item.jobId === jobId);
        return ofJob.slice(skip, skip + limit);
      },
    },
  }),
  "loses the letters of URLs that MySQL's utf8 does not hold": creating(
    (job) => job,
    (page) => ({ ...page, url: page.url.replace(/[\u{10000}-\u{10ffff}]/gu, "?") }),
  ),
  "loses the letters of a job's team that MySQL's utf8 does not hold": withJobs(({ jobs }) => ({
    async getJob(...asked) {
      const job = await jobs.getJob(...asked);
      return job && { ...job, team: job.team.replace(/[\u{10000}-\u{10ffff}]/gu, "?") };
    },
  })),
  "cuts off messages at a NUL": completing(({ failure, ...rest }) =>
    failure === undefined ? rest : { ...rest, failure: { ...failure, error: failure.error.split("\0")[0]! } },
  ),
  "cuts off long refusals": ({ outbox, ...storage }) => ({
    ...storage,
    outbox: {
      ...outbox,
      settle: (lane, { failed, ...report }) =>
        outbox.settle(lane, failed ? { ...report, failed: { ...failed, error: cut(failed.error) } } : report),
    },
  }),
  "leaves it to the caller to repeat what a deadlock undid": withJobs(({ jobs }) => {
    const running = new Set<string>();
    return {
      async completePage(lease, completion) {
        const locks = `${lease.jobId} ${completion.charge?.jobId}`;
        if (running.has(locks.split(" ").reverse().join(" ")) && lease.jobId !== completion.charge?.jobId) {
          throw new Error("Deadlock found when trying to get lock");
        }
        running.add(locks);
        try {
          return await jobs.completePage(lease, completion);
        } finally {
          running.delete(locks);
        }
      },
    };
  }),
  "renews the leases of a worker with the first of several times": withJobs(({ jobs }) => {
    const running = new Map<string, Promise<void>>();
    return {
      renewLeases(worker, until) {
        const renew = () => jobs.renewLeases(worker, until).finally(() => running.delete(worker));
        const first = running.get(worker) ?? nextTurn().then(renew);
        running.set(worker, first);
        return first;
      },
    };
  }),
  "lists nothing that was given up of no job": ({ outbox, ...storage }) => ({
    ...storage,
    outbox: {
      ...outbox,
      listFailed: async (filter) => (await outbox.listFailed(filter)).filter(({ jobId }) => jobId !== null),
    },
  }),
  "shows the pages of all teams to who asks for no word": ({ index, ...storage }) => ({
    ...storage,
    index: index && {
      ...index,
      async search(query) {
        const isOfWords = query.terms.some(({ field }) => field === "anywhere");
        const teams = isOfWords ? [query.team] : ["team-a", "team-b"];
        return (await Promise.all(teams.map((team) => index.search({ ...query, team })))).flat();
      },
    },
  }),
  "takes all words for optional where some are": ({ index, ...storage }) => ({
    ...storage,
    index: index && {
      ...index,
      search({ terms, ...query }) {
        const optional = terms.some(({ optional }) => optional);
        return index.search({ ...query, terms: terms.map((term) => (optional ? { ...term, optional } : term)) });
      },
    },
  }),
  "ends for good": (storage) => {
    let isClosed = false;
    return {
      ...withJobs(({ jobs }) => ({
        getJob: async (...asked) => (isClosed ? null : jobs.getJob(...asked)),
      }))(storage),
      close: async () => {
        isClosed = true;
      },
    };
  },
};

test("the storage that the wrong ones are made of is right", async () => {
  expect(await failureOf(() => ({ ...memoryStorage() }))).toBe(undefined);
});

const someTurns = async () => {
  for (let left = next(6); left > 0; left -= 1) await nextTurn();
};

/** Each call takes a while before and after, as that of a database does, and may overtake others. */
function distant<Part extends object>(part: Part): Part {
  return new Proxy(part, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      // The keys of a job come in chunks, which take their time anyway.
      if (typeof method !== "function" || name === "listKeys") return method;
      return async (...call: unknown[]) => {
        await someTurns();
        const result: unknown = await method.apply(target, call);
        await someTurns();
        return result;
      };
    },
  });
}

test.each([1, 2, 3, 4])("a storage whose calls overtake one another is right, round %i", async () => {
  const failure = await failureOf(() => {
    const { jobs, ledger, outbox, cache, versions, index, ...rest } = memoryStorage();
    const parts = { jobs: distant(jobs), ledger: distant(ledger), outbox: distant(outbox), cache: distant(cache) };
    return { ...rest, ...parts, versions: versions && distant(versions), index: index && distant(index) };
  });
  expect(failure).toBe(undefined);
});

/** The first failure of a storage that several share, each by an object of its own. */
const failureOfShared = (change: (storage: Storage) => Storage) =>
  firstFailure((test) =>
    testStorage({
      test,
      durable: true,
      create() {
        const storage = memoryStorage();
        return { storage: change(storage), reopen: () => change(storage) };
      },
    }),
  );

test("a storage that several share is right if each step is one", async () => {
  expect(await failureOfShared((storage) => ({ ...storage }))).toBe(undefined);
});

test("caught: a storage that pays for a page in a step of its own", async () => {
  const failure = await failureOfShared((storage) => ({
    ...storage,
    jobs: {
      ...storage.jobs,
      async completePage(lease, { charge, ...completion }) {
        const result = await storage.jobs.completePage(lease, completion);
        await nextTurn();
        if (charge !== undefined && result.status === "stored") await storage.ledger.charge(charge);
        return result;
      },
    },
  }));
  expect(failure).toBeDefined();
});

test.each(Object.keys(wrong))("caught: a storage that %s", async (name) => {
  expect(await failureOf(() => wrong[name]!(memoryStorage()))).toBeDefined();
});
