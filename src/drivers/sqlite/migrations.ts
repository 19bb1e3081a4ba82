/**
 * The schema, as the steps that lead to it. Steps are only ever added; `user_version` counts the steps that a file has
 * had.
 */

export const migrations: readonly string[] = [
  `
  CREATE TABLE jobs (
    number INTEGER PRIMARY KEY,
    -- Null once the job has expired and is being deleted.
    id TEXT UNIQUE,
    team TEXT NOT NULL,
    api_key TEXT,
    kind TEXT NOT NULL CHECK (kind IN ('crawl', 'batch_scrape', 'extract')),
    state TEXT NOT NULL CHECK (state IN ('scraping', 'completed', 'failed', 'cancelled')),
    -- What is to be deleted, bit by bit: the results, or the whole job.
    removal TEXT NOT NULL DEFAULT 'none' CHECK (removal IN ('none', 'results', 'job')),
    page_limit INTEGER NOT NULL,
    zero_data_retention INTEGER NOT NULL CHECK (zero_data_retention IN (0, 1)),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    finished_at INTEGER,
    expanding INTEGER NOT NULL CHECK (expanding IN (0, 1)),
    -- Pages ever admitted; a page's id is made of the job's number and its place among them.
    admitted INTEGER NOT NULL DEFAULT 0 CHECK (admitted <= 33554432),
    queued INTEGER NOT NULL DEFAULT 0 CHECK (queued >= 0),
    queued_results INTEGER NOT NULL DEFAULT 0 CHECK (queued_results >= 0),
    leased INTEGER NOT NULL DEFAULT 0 CHECK (leased >= 0),
    leased_results INTEGER NOT NULL DEFAULT 0 CHECK (leased_results >= 0),
    -- Pages that succeeded or failed.
    attempted INTEGER NOT NULL DEFAULT 0,
    listed INTEGER NOT NULL DEFAULT 0,
    succeeded INTEGER NOT NULL DEFAULT 0,
    credits_used REAL NOT NULL DEFAULT 0,
    tokens_used REAL NOT NULL DEFAULT 0,
    CHECK ((state = 'scraping') = (finished_at IS NULL)),
    CHECK (id IS NOT NULL OR removal = 'job')
  ) STRICT;
  CREATE INDEX jobs_open ON jobs (created_at) WHERE state = 'scraping';
  CREATE INDEX jobs_by_expiry ON jobs (expires_at);
  CREATE INDEX jobs_to_remove ON jobs (removal) WHERE removal <> 'none';

  -- The long texts of a job, apart from the counters that change with every page.
  CREATE TABLE job_texts (
    job INTEGER PRIMARY KEY,
    request TEXT NOT NULL,
    memo TEXT,
    result TEXT,
    error TEXT
  ) STRICT;

  CREATE TABLE pages (
    id INTEGER PRIMARY KEY,
    job INTEGER NOT NULL,
    url TEXT NOT NULL,
    key TEXT NOT NULL,
    depth INTEGER NOT NULL,
    times INTEGER NOT NULL,
    options TEXT,
    -- A page that waits for its next attempt is 'waiting' and counts as queued.
    state TEXT NOT NULL CHECK (state IN ('queued', 'waiting', 'leased', 'succeeded', 'failed', 'dropped')),
    not_before INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    token INTEGER NOT NULL DEFAULT 0,
    worker TEXT,
    lease_until INTEGER,
    document INTEGER,
    UNIQUE (job, key),
    CHECK ((state = 'leased') = (worker IS NOT NULL)),
    CHECK ((worker IS NULL) = (lease_until IS NULL))
  ) STRICT;
  CREATE INDEX pages_queued ON pages (job) WHERE state = 'queued';
  CREATE INDEX pages_waiting ON pages (job, not_before) WHERE state = 'waiting';
  CREATE INDEX pages_leased ON pages (job, lease_until) WHERE state = 'leased';
  CREATE INDEX pages_by_worker ON pages (worker) WHERE worker IS NOT NULL;

  -- Keys of final URLs that differ from the pages' own.
  CREATE TABLE final_keys (
    job INTEGER NOT NULL,
    key TEXT NOT NULL,
    page INTEGER NOT NULL,
    PRIMARY KEY (job, key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    document TEXT NOT NULL
  ) STRICT;

  CREATE TABLE results (
    job INTEGER NOT NULL,
    position INTEGER NOT NULL,
    document INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (job, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE failures (
    job INTEGER NOT NULL,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    timestamp INTEGER NOT NULL,
    url TEXT NOT NULL,
    code TEXT NOT NULL,
    error TEXT NOT NULL,
    PRIMARY KEY (job, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE left_out (
    job INTEGER NOT NULL,
    url TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (job, url)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE charges (
    id TEXT PRIMARY KEY,
    team TEXT NOT NULL,
    api_key TEXT,
    job_id TEXT,
    kind TEXT NOT NULL CHECK (kind IN ('scrape', 'crawl', 'batch_scrape', 'search', 'extract', 'map')),
    credits REAL NOT NULL,
    tokens REAL NOT NULL,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- The sums of the charges, so that a year of them is read in a few rows.
  CREATE TABLE months (
    team TEXT NOT NULL,
    month INTEGER NOT NULL,
    keyless INTEGER NOT NULL CHECK (keyless IN (0, 1)),
    api_key TEXT NOT NULL,
    credits REAL NOT NULL,
    tokens REAL NOT NULL,
    PRIMARY KEY (team, month, keyless, api_key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE lanes (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    worker TEXT,
    lease_until INTEGER NOT NULL DEFAULT 0,
    -- When the lane can be taken next: its first item is due and no lease holds it.
    available_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX lanes_available ON lanes (available_at);

  CREATE TABLE outbox (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    team TEXT NOT NULL,
    job_id TEXT,
    target TEXT NOT NULL,
    lane TEXT NOT NULL,
    payload TEXT NOT NULL,
    with_document INTEGER CHECK (with_document IN (0, 1)),
    -- The stored document to join, or the text itself once that was deleted.
    document INTEGER,
    document_text TEXT,
    created_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'failed')),
    error TEXT,
    failed_at INTEGER,
    CHECK ((state = 'failed') = (failed_at IS NOT NULL))
  ) STRICT;
  CREATE INDEX outbox_waiting ON outbox (lane) WHERE state = 'waiting';
  CREATE INDEX outbox_failed ON outbox (team, failed_at) WHERE state = 'failed';
  CREATE INDEX outbox_failed_by_job ON outbox (job_id) WHERE state = 'failed';
  CREATE INDEX outbox_by_document ON outbox (document) WHERE document IS NOT NULL;

  CREATE TABLE cached_pages (
    number INTEGER PRIMARY KEY,
    team TEXT NOT NULL,
    key TEXT NOT NULL,
    stored_at INTEGER NOT NULL,
    head TEXT NOT NULL,
    body BLOB NOT NULL,
    bytes INTEGER NOT NULL,
    UNIQUE (team, key)
  ) STRICT;

  CREATE TABLE cache_size (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    bytes INTEGER NOT NULL
  ) STRICT;
  INSERT INTO cache_size (one, bytes) VALUES (1, 0);
  `,
  `
  CREATE TABLE page_versions (
    number INTEGER PRIMARY KEY,
    team TEXT NOT NULL,
    -- Empty for none, else the name after an equals sign.
    tag TEXT NOT NULL,
    key TEXT NOT NULL,
    url TEXT NOT NULL,
    scraped_at INTEGER NOT NULL,
    -- Compressed (zstd).
    markdown BLOB NOT NULL,
    fingerprint TEXT NOT NULL,
    is_gone INTEGER NOT NULL CHECK (is_gone IN (0, 1)),
    expires_at INTEGER NOT NULL,
    UNIQUE (team, tag, key)
  ) STRICT;
  CREATE INDEX page_versions_by_expiry ON page_versions (expires_at);

  -- In which crawl of a site a page was met last.
  CREATE TABLE page_meetings (
    site TEXT NOT NULL,
    version INTEGER NOT NULL,
    job_id TEXT NOT NULL,
    PRIMARY KEY (version, site)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX page_meetings_by_site ON page_meetings (site);

  CREATE INDEX lanes_by_worker ON lanes (worker) WHERE worker IS NOT NULL;
  `,
  `
  CREATE TABLE indexed_pages (
    number INTEGER PRIMARY KEY,
    team TEXT NOT NULL,
    key TEXT NOT NULL,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    text TEXT NOT NULL,
    -- The date that the page gives, else the time it was seen.
    at INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    -- Whether its words are in the index; those of new pages get there with the team's next search.
    -- Until then the text is markdown.
    worded INTEGER NOT NULL DEFAULT 0 CHECK (worded IN (0, 1)),
    UNIQUE (team, key)
  ) STRICT;
  CREATE INDEX unworded_pages ON indexed_pages (team) WHERE worded = 0;
  CREATE INDEX indexed_pages_by_time ON indexed_pages (team, at) WHERE worded = 1;
  CREATE INDEX indexed_pages_by_url ON indexed_pages (team, url) WHERE worded = 1;

  -- The words of the pages, as the driver makes them; the number of a page is the rowid of its words.
  CREATE VIRTUAL TABLE indexed_words USING fts5 (
    team, title, description, url, text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0'
  );
  INSERT INTO indexed_words (indexed_words, rank) VALUES ('secure-delete', 1);

  CREATE TABLE index_size (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    bytes INTEGER NOT NULL
  ) STRICT;
  INSERT INTO index_size (one, bytes) VALUES (1, 0);
  `,
  `
  -- Leased pages are few, and found by their state; one index less for each page.
  DROP INDEX pages_by_worker;
  `,
  `
  -- Cached bodies have a file of their own.
  DROP TABLE cached_pages;
  DROP TABLE cache_size;
  `,
  `
  -- The URLs for which the page's result is listed once more, as a JSON array; null for none.
  ALTER TABLE pages ADD COLUMN repeats TEXT;
  -- Of these the one for which the page is listed here; null for the page's own.
  ALTER TABLE results ADD COLUMN url TEXT;
  `,
  `
  -- Words have other stems now: those of all pages are made again at the team's next search.
  INSERT INTO indexed_words (indexed_words) VALUES ('delete-all');
  UPDATE indexed_pages SET worded = 0;
  `,
  `
  -- Of thousands of jobs in progress, each has leased pages under names of its own, which are renewed one by one.
  CREATE INDEX pages_leased_by_worker ON pages (worker) WHERE state = 'leased';
  `,
  `
  -- How many workers died while they had the page.
  ALTER TABLE pages ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- When the page was fetched: one fetched earlier does not replace it. Not known of older entries.
  ALTER TABLE indexed_pages ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;
  `,
];
