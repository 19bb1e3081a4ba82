/** The tables, as the steps that lead to them. Steps are only ever added; the table `version` counts those done. */

/** Moments and sums are `double precision`, which JavaScript reads as numbers; it holds them exactly. */
export function migrations(schema: string): readonly string[] {
  return [
    `
    CREATE TABLE ${schema}.jobs (
      number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id text NOT NULL UNIQUE,
      team text NOT NULL,
      api_key text,
      kind text NOT NULL CHECK (kind IN ('crawl', 'batch_scrape', 'extract')),
      state text NOT NULL DEFAULT 'scraping' CHECK (state IN ('scraping', 'completed', 'failed', 'cancelled')),
      page_limit double precision NOT NULL,
      zero_data_retention boolean NOT NULL,
      created_at double precision NOT NULL,
      expires_at double precision NOT NULL,
      finished_at double precision,
      expanding boolean NOT NULL,
      -- Places given to pages, some of which were found to be there already.
      admitted integer NOT NULL DEFAULT 0,
      queued integer NOT NULL DEFAULT 0 CHECK (queued >= 0),
      queued_results integer NOT NULL DEFAULT 0 CHECK (queued_results >= 0),
      leased integer NOT NULL DEFAULT 0 CHECK (leased >= 0),
      leased_results integer NOT NULL DEFAULT 0 CHECK (leased_results >= 0),
      attempted integer NOT NULL DEFAULT 0,
      listed integer NOT NULL DEFAULT 0,
      succeeded integer NOT NULL DEFAULT 0,
      credits_used double precision NOT NULL DEFAULT 0,
      tokens_used double precision NOT NULL DEFAULT 0,
      CHECK ((state = 'scraping') = (finished_at IS NULL))
    );
    CREATE INDEX ON ${schema}.jobs (created_at) WHERE state = 'scraping';
    CREATE INDEX ON ${schema}.jobs (expires_at);

    -- The long texts of a job, apart from the counters that change with every page.
    CREATE TABLE ${schema}.job_texts (
      job integer PRIMARY KEY,
      request text NOT NULL,
      memo text,
      result text,
      error text
    );

    -- Keys and URLs can be longer than an index allows: their hashes stand for them.
    CREATE TABLE ${schema}.pages (
      job integer NOT NULL,
      place integer NOT NULL,
      url text NOT NULL,
      key text NOT NULL,
      key_hash text NOT NULL,
      depth integer NOT NULL,
      times integer NOT NULL,
      options text,
      state text NOT NULL DEFAULT 'queued'
        CHECK (state IN ('queued', 'waiting', 'leased', 'succeeded', 'failed', 'dropped')),
      not_before double precision NOT NULL DEFAULT 0,
      attempts integer NOT NULL DEFAULT 0,
      token integer NOT NULL DEFAULT 0,
      worker text,
      lease_until double precision,
      has_document boolean NOT NULL DEFAULT false,
      PRIMARY KEY (job, place),
      UNIQUE (job, key_hash),
      CHECK ((state = 'leased') = (worker IS NOT NULL)),
      CHECK ((worker IS NULL) = (lease_until IS NULL))
    );
    CREATE INDEX ON ${schema}.pages (job, place) WHERE state = 'queued';
    CREATE INDEX ON ${schema}.pages (job, not_before) WHERE state = 'waiting';
    CREATE INDEX ON ${schema}.pages (job, lease_until) WHERE state = 'leased';
    CREATE INDEX ON ${schema}.pages (worker) WHERE worker IS NOT NULL;

    CREATE TABLE ${schema}.final_keys (
      job integer NOT NULL,
      key_hash text NOT NULL,
      place integer NOT NULL,
      PRIMARY KEY (job, key_hash)
    );

    CREATE TABLE ${schema}.documents (
      job integer NOT NULL,
      place integer NOT NULL,
      document text NOT NULL,
      PRIMARY KEY (job, place)
    );

    CREATE TABLE ${schema}.results (
      job integer NOT NULL,
      position integer NOT NULL,
      place integer NOT NULL,
      bytes integer NOT NULL,
      PRIMARY KEY (job, position)
    );

    CREATE TABLE ${schema}.failures (
      job integer NOT NULL,
      position integer NOT NULL,
      id text NOT NULL,
      timestamp double precision NOT NULL,
      url text NOT NULL,
      code text NOT NULL,
      error text NOT NULL,
      PRIMARY KEY (job, position)
    );

    CREATE TABLE ${schema}.left_out (
      job integer NOT NULL,
      url_hash text NOT NULL,
      url text NOT NULL,
      reason text NOT NULL,
      PRIMARY KEY (job, url_hash)
    );

    CREATE TABLE ${schema}.charges (
      id text PRIMARY KEY,
      team text NOT NULL,
      api_key text,
      job_id text,
      kind text NOT NULL CHECK (kind IN ('scrape', 'crawl', 'batch_scrape', 'search', 'extract', 'map')),
      credits double precision NOT NULL,
      tokens double precision NOT NULL,
      at double precision NOT NULL
    );

    -- The sums of the charges, so that a year of them is read in a few rows.
    CREATE TABLE ${schema}.months (
      team text NOT NULL,
      month double precision NOT NULL,
      keyless boolean NOT NULL,
      api_key text NOT NULL,
      credits double precision NOT NULL,
      tokens double precision NOT NULL,
      PRIMARY KEY (team, month, keyless, api_key)
    );

    CREATE TABLE ${schema}.lanes (
      name text PRIMARY KEY,
      number bigint GENERATED ALWAYS AS IDENTITY,
      worker text,
      lease_until double precision NOT NULL DEFAULT 0,
      -- When the lane can be taken next: its first item is due and no lease holds it.
      available_at double precision NOT NULL
    );
    CREATE INDEX ON ${schema}.lanes (available_at, number);

    CREATE SEQUENCE ${schema}.outbox_order;
    CREATE TABLE ${schema}.outbox (
      id text PRIMARY KEY,
      -- Its place in the lane.
      number bigint NOT NULL DEFAULT nextval('${schema}.outbox_order'),
      team text NOT NULL,
      job_id text,
      target text NOT NULL,
      lane text NOT NULL,
      payload text NOT NULL,
      with_document boolean,
      -- The page whose document is joined, or the text itself once that was deleted.
      document_job integer,
      document_place integer,
      document_text text,
      created_at double precision NOT NULL,
      due_at double precision NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'failed')),
      error text,
      failed_at double precision,
      CHECK ((state = 'failed') = (failed_at IS NOT NULL))
    );
    CREATE INDEX ON ${schema}.outbox (lane, number) WHERE state = 'waiting';
    CREATE INDEX ON ${schema}.outbox (team, failed_at) WHERE state = 'failed';
    CREATE INDEX ON ${schema}.outbox (job_id) WHERE state = 'failed';
    CREATE INDEX ON ${schema}.outbox (document_job) WHERE document_job IS NOT NULL;

    CREATE TABLE ${schema}.cached_pages (
      team text NOT NULL,
      key_hash text NOT NULL,
      number bigint GENERATED ALWAYS AS IDENTITY,
      stored_at double precision NOT NULL,
      head text NOT NULL,
      body bytea NOT NULL,
      bytes integer NOT NULL,
      PRIMARY KEY (team, key_hash)
    );
    CREATE INDEX ON ${schema}.cached_pages (number);
    CREATE INDEX ON ${schema}.cached_pages (stored_at);

    CREATE TABLE ${schema}.cache_size (bytes double precision NOT NULL);
    INSERT INTO ${schema}.cache_size (bytes) VALUES (0);

    CREATE TABLE ${schema}.page_versions (
      team text NOT NULL,
      -- Empty for none, else the name after an equals sign.
      tag text NOT NULL,
      key_hash text NOT NULL,
      url text NOT NULL,
      scraped_at double precision NOT NULL,
      markdown text NOT NULL,
      fingerprint text NOT NULL,
      is_gone boolean NOT NULL,
      expires_at double precision NOT NULL,
      PRIMARY KEY (team, tag, key_hash)
    );
    CREATE INDEX ON ${schema}.page_versions (expires_at);

    -- In which crawl of a site a page was met last.
    CREATE TABLE ${schema}.page_meetings (
      team text NOT NULL,
      tag text NOT NULL,
      site_hash text NOT NULL,
      key_hash text NOT NULL,
      job_id text NOT NULL,
      PRIMARY KEY (team, tag, site_hash, key_hash),
      FOREIGN KEY (team, tag, key_hash) REFERENCES ${schema}.page_versions ON DELETE CASCADE
    );
    CREATE INDEX ON ${schema}.page_meetings (team, tag, key_hash);
    `,
    `
    CREATE TABLE ${schema}.indexed_pages (
      number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      team text NOT NULL,
      key_hash text NOT NULL,
      url text NOT NULL,
      title text NOT NULL,
      description text NOT NULL,
      -- Markdown, until the words are counted.
      text text NOT NULL,
      -- The date that the page gives, else the time it was seen.
      at double precision NOT NULL,
      bytes integer NOT NULL,
      -- What each word counts, as the driver makes them; null until the team's next search.
      words jsonb,
      -- The sum of that.
      length double precision,
      UNIQUE (team, key_hash),
      CHECK ((words IS NULL) = (length IS NULL))
    );
    -- What is new would else wait in a list, which the planner holds for worse than reading all pages.
    CREATE INDEX ON ${schema}.indexed_pages USING gin (words) WITH (fastupdate = off);
    -- By length, since a condition on the words would let the planner take these for searches.
    CREATE INDEX ON ${schema}.indexed_pages (team, number) WHERE length IS NULL;
    CREATE INDEX ON ${schema}.indexed_pages (team, at) WHERE length IS NOT NULL;

    CREATE TABLE ${schema}.index_size (bytes double precision NOT NULL);
    INSERT INTO ${schema}.index_size (bytes) VALUES (0);
    `,
    `
    -- The URLs for which the page's result is listed once more, as a JSON array; null for none.
    ALTER TABLE ${schema}.pages ADD COLUMN repeats text;
    -- Of these the one for which the page is listed here; null for the page's own.
    ALTER TABLE ${schema}.results ADD COLUMN url text;
    `,
    `
    -- Words have other stems now: those of all pages are made again at the team's next search.
    UPDATE ${schema}.indexed_pages SET words = NULL, length = NULL;
    `,
    `
    -- How many workers died while they had the page.
    ALTER TABLE ${schema}.pages ADD COLUMN deaths integer NOT NULL DEFAULT 0;
    `,
    `
    -- When the page was fetched: one fetched earlier does not replace it. Not known of older entries.
    ALTER TABLE ${schema}.indexed_pages ADD COLUMN seen_at double precision NOT NULL DEFAULT 0;
    `,
    `
    -- For pages that are named by their address; of the hash, because a URL may be longer than an index can hold.
    CREATE INDEX ON ${schema}.indexed_pages USING hash (url);
    `,
    `
    -- Null once the job has expired and is being deleted: nobody finds it any more.
    ALTER TABLE ${schema}.jobs ALTER COLUMN id DROP NOT NULL;
    `,
  ];
}
