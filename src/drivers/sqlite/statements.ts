/**
 * All SQL except the schema, by name. Arguments are bound to the question marks in order. These are not numbered,
 * because Node before 24 binds arguments by position only to unnumbered ones.
 */

import { wordWeights } from "../search-plan.ts";

const { title, description, url, text } = wordWeights;

const jobColumns = `
  number, id, team, api_key, kind, state, removal, page_limit, zero_data_retention, created_at, expires_at, finished_at,
  expanding, admitted, queued, queued_results, leased, leased_results, attempted, listed, succeeded, credits_used,
  tokens_used`;

export const statements = {
  // Jobs
  insertJob: `
    INSERT INTO jobs (id, team, api_key, kind, state, page_limit, zero_data_retention, created_at, expires_at, expanding)
    VALUES (?, ?, ?, ?, 'scraping', ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  insertJobTexts: "INSERT INTO job_texts (job, request) VALUES (?, ?)",
  jobById: `SELECT ${jobColumns} FROM jobs WHERE id = ?`,
  jobByNumber: `SELECT ${jobColumns} FROM jobs WHERE number = ?`,
  jobTexts: "SELECT request, memo, result, error FROM job_texts WHERE job = ?",
  openJobs: `SELECT ${jobColumns} FROM jobs WHERE state = 'scraping' AND removal = 'none' AND expires_at > ?
    ORDER BY created_at, number`,
  expiredJobs: `SELECT ${jobColumns} FROM jobs WHERE state = 'scraping' AND removal = 'none' AND expires_at <= ?`,
  saveJob: `
    UPDATE jobs SET state = ?, expires_at = ?, finished_at = ?, expanding = ?, admitted = ?, queued = ?,
      queued_results = ?, leased = ?, leased_results = ?, attempted = ?, listed = ?, succeeded = ?, credits_used = ?,
      tokens_used = ?
    WHERE number = ?`,
  saveMemo: "UPDATE job_texts SET memo = ? WHERE job = ?",
  saveOutcome: "UPDATE job_texts SET result = ?, error = ? WHERE job = ?",
  finishExpansion: "UPDATE jobs SET expanding = 0 WHERE id = ?",
  addToJobSums: "UPDATE jobs SET credits_used = credits_used + ?, tokens_used = tokens_used + ? WHERE id = ?",

  // Pages: admission
  insertPage: `
    INSERT INTO pages (id, job, url, key, depth, times, repeats, options, state)
    SELECT ?, ?, ?, ?, ?, ?, ?, ?, 'queued'
    WHERE NOT EXISTS (SELECT 1 FROM final_keys WHERE job = ? AND key = ?)
    ON CONFLICT (job, key) DO NOTHING`,
  // A page whose key another one has taken has lost it.
  pageByKey: `
    SELECT id, state, attempts, times FROM pages WHERE id = coalesce(
      (SELECT page FROM final_keys WHERE job = ? AND key = ?), (SELECT id FROM pages WHERE job = ? AND key = ?))`,
  lowerDepth: `
    UPDATE pages SET depth = ?
    WHERE job = ? AND key = ? AND depth > ? AND state IN ('queued', 'waiting', 'leased')`,
  pageForRepeat: "SELECT state, document, repeats FROM pages WHERE id = ?",
  saveRepeats: "UPDATE pages SET times = times + ?, repeats = ? WHERE id = ?",
  insertLeftOut: "INSERT INTO left_out (job, url, reason) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
  replaceLeftOut: `
    INSERT INTO left_out (job, url, reason) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET reason = excluded.reason`,
  timesOfFirstQueued: `
    SELECT sum(times) AS times FROM (
      SELECT times FROM pages WHERE id > ? AND id < ? AND state IN ('queued', 'waiting') ORDER BY id LIMIT ?)`,

  // Pages: leases
  wakePages: "UPDATE pages SET state = 'queued' WHERE job = ? AND state = 'waiting' AND not_before <= ?",
  expiredPages: `
    SELECT id, url, key, depth, times, options, attempts, deaths, token FROM pages
    WHERE job = ? AND state = 'leased' AND lease_until <= ? AND depth <= ? ORDER BY id LIMIT ?`,
  queuedPages: `
    SELECT id, url, key, depth, times, options, attempts, deaths, token FROM pages
    WHERE job = ? AND state = 'queued' AND not_before <= ? AND depth <= ? ORDER BY id LIMIT ?`,
  leastDepth: `
    SELECT min(depth) AS depth FROM (
      SELECT min(depth) AS depth FROM pages WHERE job = ? AND state = 'queued'
      UNION ALL SELECT min(depth) FROM pages WHERE job = ? AND state = 'waiting'
      UNION ALL SELECT min(depth) FROM pages WHERE job = ? AND state = 'leased')`,
  leasePages: `
    UPDATE pages SET state = 'leased', worker = ?, lease_until = ?, attempts = attempts + 1, token = token + 1
    WHERE id IN (SELECT value FROM json_each(?))`,
  leasedPage: "SELECT job, times, repeats FROM pages WHERE id = ? AND token = ? AND state = 'leased'",
  renewLeases: "UPDATE pages SET lease_until = max(lease_until, ?) WHERE state = 'leased' AND worker = ?",
  pagesOfWorker: "SELECT id, job, times FROM pages WHERE state = 'leased' AND worker = ?",
  leaseHolders: "SELECT DISTINCT worker FROM pages WHERE state = 'leased'",
  releasePage: `
    UPDATE pages SET state = 'queued', not_before = 0, attempts = attempts - 1, deaths = deaths + ?, worker = NULL,
      lease_until = NULL
    WHERE id = ?`,
  requeuePage: `
    UPDATE pages SET state = 'waiting', not_before = ?, worker = NULL, lease_until = NULL WHERE id = ?`,
  dropLeasedPages: `
    UPDATE pages SET state = 'dropped', worker = NULL, lease_until = NULL WHERE job = ? AND state = 'leased'`,

  // Pages: completion
  endPage: "UPDATE pages SET state = ?, document = ?, worker = NULL, lease_until = NULL WHERE id = ?",
  insertFinalKey: "INSERT OR REPLACE INTO final_keys (job, key, page) VALUES (?, ?, ?)",
  insertDocument: "INSERT INTO documents (document) VALUES (?)",
  insertResult: "INSERT INTO results (job, position, document, bytes, url) VALUES (?, ?, ?, ?, ?)",
  insertRepeatedResult: `
    INSERT INTO results (job, position, document, bytes, url)
    SELECT ?, ?, id, octet_length(document) + ?, ? FROM documents WHERE id = ?`,
  insertFailure: "INSERT INTO failures (job, position, id, timestamp, url, code, error) VALUES (?, ?, ?, ?, ?, ?, ?)",

  // Reading
  resultSizes: "SELECT bytes FROM results WHERE job = ? AND position >= ? ORDER BY position LIMIT ?",
  result: `
    SELECT d.document, r.url FROM results r JOIN documents d ON d.id = r.document WHERE r.job = ? AND r.position = ?`,
  failures: `
    SELECT position, id, timestamp, url, code, error FROM failures
    WHERE job = ? AND position > ? ORDER BY position LIMIT ?`,
  leftOut: "SELECT url, reason FROM left_out WHERE job = ? AND url > ? ORDER BY url LIMIT ?",
  queuedUrls: `
    SELECT id, url FROM pages WHERE id > ? AND id < ? AND state IN ('queued', 'waiting') ORDER BY id LIMIT ?`,
  pageKeys: "SELECT id, key FROM pages WHERE id > ? AND id < ? ORDER BY id LIMIT ?",

  // Deleting, a part at a time
  dueJobs: "SELECT number, id FROM jobs WHERE expires_at <= ? AND removal <> 'job' LIMIT ?",
  nextExpiry: "SELECT min(expires_at) AS at FROM jobs WHERE removal <> 'job'",
  jobToRemove: "SELECT number, removal FROM jobs WHERE removal <> 'none' LIMIT 1",
  markJobRemoved: "UPDATE jobs SET id = NULL, team = '', api_key = NULL, removal = 'job' WHERE number = ?",
  markResultsRemoved: "UPDATE jobs SET removal = 'results' WHERE number = ? AND removal = 'none'",
  markRemovalDone: "UPDATE jobs SET removal = 'none', queued = 0, queued_results = 0 WHERE number = ?",
  deleteJob: "DELETE FROM jobs WHERE number = ?",
  deleteJobTexts: "DELETE FROM job_texts WHERE job = ?",
  forgetJobTexts: "UPDATE job_texts SET request = '{}', memo = NULL, result = NULL, error = NULL WHERE job = ?",
  deleteFailedItems: "DELETE FROM outbox WHERE state = 'failed' AND job_id = ?",
  detachDocument: `
    UPDATE outbox SET document = NULL,
      document_text = (SELECT documents.document FROM documents WHERE documents.id = outbox.document)
    WHERE document = ?`,
  deleteDocument: "DELETE FROM documents WHERE id = ?",
  resultsToRemove: "SELECT position, document, bytes FROM results WHERE job = ? ORDER BY position LIMIT ?",
  deleteResult: "DELETE FROM results WHERE job = ? AND position = ?",
  deletePages: "DELETE FROM pages WHERE id IN (SELECT id FROM pages WHERE id > ? AND id < ? LIMIT ?)",
  deleteFinalKeys: `
    DELETE FROM final_keys WHERE (job, key) IN (SELECT job, key FROM final_keys WHERE job = ? LIMIT ?)`,
  deleteFailures: `
    DELETE FROM failures WHERE (job, position) IN (SELECT job, position FROM failures WHERE job = ? LIMIT ?)`,
  deleteLeftOut: "DELETE FROM left_out WHERE (job, url) IN (SELECT job, url FROM left_out WHERE job = ? LIMIT ?)",
  freePages: "SELECT freelist_count AS free, page_count AS total FROM pragma_freelist_count, pragma_page_count",

  // Ledger
  insertCharge: `
    INSERT INTO charges (id, team, api_key, job_id, kind, credits, tokens, at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  addToMonth: `
    INSERT INTO months (team, month, keyless, api_key, credits, tokens) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET credits = credits + excluded.credits, tokens = tokens + excluded.tokens`,
  usage: `
    SELECT month, 1 AS keyless, '' AS api_key, sum(credits) AS credits, sum(tokens) AS tokens
    FROM months WHERE team = ? GROUP BY month ORDER BY month`,
  usageByKey: `
    SELECT month, keyless, api_key, credits, tokens FROM months WHERE team = ? ORDER BY month, keyless, api_key`,

  // Outbox
  insertItem: `
    INSERT INTO outbox (id, team, job_id, target, lane, payload, with_document, document, created_at, due_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  insertLane: "INSERT INTO lanes (name, available_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
  availableLanes: "SELECT name FROM lanes WHERE available_at <= ? ORDER BY available_at, number LIMIT ?",
  takeLane: "UPDATE lanes SET worker = ?, lease_until = ?, available_at = ? WHERE name = ?",
  waitingItems: `
    SELECT o.id, o.team, o.job_id, o.target, o.payload, o.with_document, o.created_at, o.due_at, o.attempts,
      coalesce(o.document_text, d.document) AS document
    FROM outbox o LEFT JOIN documents d ON d.id = o.document
    WHERE o.lane = ? AND o.state = 'waiting' ORDER BY o.number LIMIT ?`,
  waitingSizes: `
    SELECT octet_length(o.payload) + coalesce(octet_length(o.document_text), octet_length(d.document), 0) AS bytes
    FROM outbox o LEFT JOIN documents d ON d.id = o.document
    WHERE o.lane = ? AND o.state = 'waiting' ORDER BY o.number LIMIT ?`,
  laneWorker: "SELECT worker FROM lanes WHERE name = ?",
  deleteItem: "DELETE FROM outbox WHERE id = ? AND lane = ? AND state = 'waiting' RETURNING job_id",
  jobOfItem: "SELECT job_id FROM outbox WHERE id = ? AND lane = ? AND state = 'waiting'",
  jobIsKept: `
    SELECT 1 FROM jobs JOIN job_texts ON job = number
    WHERE id = ? AND (zero_data_retention = 0 OR state = 'scraping' OR request <> '{}')`,
  delayItem: `
    UPDATE outbox SET attempts = attempts + ?, due_at = ?, error = ? WHERE id = ? AND lane = ? AND state = 'waiting'`,
  giveUpItem: `
    UPDATE outbox SET attempts = attempts + ?, state = 'failed', failed_at = ?, error = ?
    WHERE id = ? AND lane = ? AND state = 'waiting'`,
  firstDue: "SELECT due_at FROM outbox WHERE lane = ? AND state = 'waiting' ORDER BY number LIMIT 1",
  laneHolders: "SELECT DISTINCT worker FROM lanes WHERE worker IS NOT NULL",
  lanesOfWorker: "SELECT name FROM lanes WHERE worker = ?",
  freeLane: "UPDATE lanes SET worker = NULL, lease_until = ? WHERE name = ?",
  rescheduleLane: "UPDATE lanes SET available_at = max(?, lease_until) WHERE name = ?",
  deleteLane: "DELETE FROM lanes WHERE name = ?",
  nextDue: "SELECT min(available_at) AS at FROM lanes",
  failedItems: `
    SELECT id, job_id, target, payload, attempts, error, failed_at FROM outbox
    WHERE state = 'failed' AND team = ? AND job_id IS coalesce(?, job_id)
    ORDER BY failed_at, number LIMIT ? OFFSET ?`,
  redeliverItem: `
    UPDATE outbox SET number = (SELECT max(number) + 1 FROM outbox), state = 'waiting', failed_at = NULL,
      attempts = 0, due_at = created_at
    WHERE id = ? AND team = ? AND state = 'failed' RETURNING lane, due_at`,

  // Page versions
  lastVersion: `
    SELECT scraped_at, markdown, fingerprint, is_gone FROM page_versions WHERE team = ? AND tag = ? AND key = ?`,
  putVersion: `
    INSERT INTO page_versions (team, tag, key, url, scraped_at, markdown, fingerprint, is_gone, expires_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (team, tag, key) DO UPDATE SET url = excluded.url, scraped_at = excluded.scraped_at,
      markdown = excluded.markdown, fingerprint = excluded.fingerprint, is_gone = excluded.is_gone,
      expires_at = excluded.expires_at`,
  putMeeting: `
    INSERT INTO page_meetings (site, version, job_id)
    SELECT ?, number, ? FROM page_versions WHERE team = ? AND tag = ? AND key = ?
    ON CONFLICT (version, site) DO UPDATE SET job_id = excluded.job_id`,
  // A cross join: otherwise SQLite would go through all versions of the team, and look for the site in each.
  unseenPages: `
    SELECT url FROM page_meetings CROSS JOIN page_versions ON number = version
    WHERE team = ? AND tag = ? AND site = ? AND job_id <> ? AND is_gone = 0 ORDER BY number LIMIT ?`,
  nextVersionExpiry: "SELECT min(expires_at) AS at FROM page_versions",
  dueVersions: "SELECT number FROM page_versions WHERE expires_at <= ? ORDER BY expires_at LIMIT ?",
  deleteMeetings: "DELETE FROM page_meetings WHERE version = ?",
  deleteVersion: "DELETE FROM page_versions WHERE number = ?",

  // Search index
  insertIndexedPage: `
    INSERT INTO indexed_pages (team, key, url, title, description, text, at, bytes, seen_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`,
  unwordedPages: "SELECT number, bytes FROM indexed_pages WHERE team = ? AND worded = 0 LIMIT ?",
  unwordedPage: "SELECT url, title, description, text FROM indexed_pages WHERE number = ?",
  markWorded: "UPDATE indexed_pages SET worded = 1, text = ? WHERE number = ?",
  insertIndexedWords:
    "INSERT INTO indexed_words (rowid, team, title, description, url, text) VALUES (?, ?, ?, ?, ?, ?)",
  deleteIndexedPage: `
    DELETE FROM indexed_pages WHERE team = ? AND key = ? AND (seen_at <= ? OR seen_at > ?) RETURNING number, bytes`,
  deleteOldestIndexedPage: `
    DELETE FROM indexed_pages WHERE number = (SELECT min(number) FROM indexed_pages) RETURNING number, bytes`,
  deleteIndexedWords: "DELETE FROM indexed_words WHERE rowid = ?",
  matchingPages: `
    SELECT p.number, p.url, p.title, p.description FROM indexed_words w JOIN indexed_pages p ON p.number = w.rowid
    WHERE indexed_words MATCH ? AND p.team = ? AND p.at BETWEEN ? AND ?
    ORDER BY bm25(indexed_words, 0, ${title}, ${description}, ${url}, ${text}), p.number DESC LIMIT ? OFFSET ?`,
  latestPages: `
    SELECT number, url, title, description FROM indexed_pages
    WHERE worded = 1 AND team = ? AND at BETWEEN ? AND ? ORDER BY at DESC, number DESC LIMIT ? OFFSET ?`,
  indexedText: "SELECT text FROM indexed_pages WHERE number = ? AND team = ? AND url = ?",
  pageAtUrl: "SELECT number, url, title, description FROM indexed_pages WHERE worded = 1 AND team = ? AND url = ?",
  // Searches the key, which is in an index: the rows themselves are long.
  indexedUrls: "SELECT url FROM indexed_pages WHERE team = ? AND instr(key, ?) > 0 LIMIT ?",
  indexSize: "SELECT bytes FROM index_size WHERE one = 1",
  setIndexSize: "UPDATE index_size SET bytes = ? WHERE one = 1",

  // Transactions
  beginRead: "BEGIN",
  beginWrite: "BEGIN IMMEDIATE",
  commit: "COMMIT",
  rollback: "ROLLBACK",
} as const;

export type StatementName = keyof typeof statements;
