/** All SQL but the schema, by name. */

export function statements(schema: string) {
  /** Rows of a job, in the order of `key`, which with the job is the table's. */
  const deleteFirst = (table: string, key: string) => `
      DELETE FROM ${schema}.${table} WHERE job = $1 AND ${key} = ANY (ARRAY(
        SELECT ${key} FROM ${schema}.${table} WHERE job = $1 ORDER BY ${key} LIMIT $2)) RETURNING job`;
  /** Its number. Joined with the jobs instead, all further rows would be read and sorted for the first few of them. */
  const jobCalled = `(SELECT number FROM ${schema}.jobs WHERE id = $1)`;
  return {
    // Jobs
    insertJob: `
      INSERT INTO ${schema}.jobs (id, team, api_key, kind, page_limit, zero_data_retention, created_at, expires_at, expanding)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING RETURNING *`,
    insertJobTexts: `INSERT INTO ${schema}.job_texts (job, request) VALUES ($1, $2)`,
    lockJob: `SELECT * FROM ${schema}.jobs WHERE id = $1 FOR UPDATE`,
    lockJobs: `SELECT * FROM ${schema}.jobs WHERE number = ANY ($1::int[]) ORDER BY number FOR UPDATE`,
    job: `
      SELECT j.*, t.request, t.memo, t.result, t.error FROM ${schema}.jobs j JOIN ${schema}.job_texts t ON t.job = j.number
      WHERE j.id = $1 AND j.expires_at > $2`,
    openJobs: `
      SELECT j.*, t.request, t.memo, t.result, t.error FROM ${schema}.jobs j JOIN ${schema}.job_texts t ON t.job = j.number
      WHERE j.state = 'scraping' AND j.expires_at > $1 AND ($2::text IS NULL OR j.team = $2)
      ORDER BY j.created_at, j.number`,
    expiredJobs: `
      SELECT j.*, t.request, t.memo, t.result, t.error FROM ${schema}.jobs j JOIN ${schema}.job_texts t ON t.job = j.number
      WHERE j.state = 'scraping' AND j.expires_at <= $1`,
    saveJob: `
      UPDATE ${schema}.jobs SET state = $2, expires_at = $3, finished_at = $4, expanding = $5, admitted = $6,
        queued = $7, queued_results = $8, leased = $9, leased_results = $10, attempted = $11, listed = $12,
        succeeded = $13, credits_used = $14, tokens_used = $15
      WHERE number = $1`,
    saveMemo: `UPDATE ${schema}.job_texts SET memo = $2 WHERE job = $1`,
    saveOutcome: `UPDATE ${schema}.job_texts SET result = $2, error = $3 WHERE job = $1`,
    finishExpansion: `UPDATE ${schema}.jobs SET expanding = false WHERE id = $1`,
    addToJobSums: `
      UPDATE ${schema}.jobs SET credits_used = credits_used + $2, tokens_used = tokens_used + $3 WHERE id = $1`,

    // Pages: admission
    insertPages: `
      INSERT INTO ${schema}.pages (job, place, url, key, key_hash, depth, times, repeats, options)
      SELECT $1, new.* FROM unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::int[], $7::int[], $8::text[], $9::text[])
        AS new (place, url, key, key_hash, depth, times, repeats, options)
      WHERE NOT EXISTS (SELECT 1 FROM ${schema}.final_keys f WHERE f.job = $1 AND f.key_hash = new.key_hash)
      ORDER BY new.place
      ON CONFLICT (job, key_hash) DO NOTHING RETURNING place, times`,
    // A page whose key another one has taken has lost it: the last row of a key counts.
    pagesOfKeys: `
      SELECT key_hash, place, state, attempts, times, has_document, repeats, 1 AS rank FROM ${schema}.pages
      WHERE job = $1 AND key_hash = ANY ($2::text[])
      UNION ALL
      SELECT f.key_hash, p.place, p.state, p.attempts, p.times, p.has_document, p.repeats, 2 AS rank
      FROM ${schema}.final_keys f JOIN ${schema}.pages p ON p.job = f.job AND p.place = f.place
      WHERE f.job = $1 AND f.key_hash = ANY ($2::text[])
      ORDER BY rank`,
    lowerDepths: `
      UPDATE ${schema}.pages p SET depth = less.depth
      FROM (SELECT key_hash, min(depth) AS depth FROM unnest($2::text[], $3::int[]) AS given (key_hash, depth)
        GROUP BY key_hash) AS less
      WHERE p.job = $1 AND p.key_hash = less.key_hash AND p.depth > less.depth
        AND p.state IN ('queued', 'waiting', 'leased')`,
    saveRepeats: `
      UPDATE ${schema}.pages p SET times = p.times + more.times, repeats = more.repeats
      FROM unnest($2::int[], $3::int[], $4::text[]) AS more (place, times, repeats)
      WHERE p.job = $1 AND p.place = more.place`,
    insertLeftOut: `
      INSERT INTO ${schema}.left_out (job, url_hash, url, reason)
      SELECT $1, new.* FROM unnest($2::text[], $3::text[], $4::text[]) AS new (url_hash, url, reason)
      ON CONFLICT DO NOTHING`,
    replaceLeftOut: `
      INSERT INTO ${schema}.left_out (job, url_hash, url, reason)
      SELECT $1, new.* FROM unnest($2::text[], $3::text[], $4::text[]) AS new (url_hash, url, reason)
      ON CONFLICT (job, url_hash) DO UPDATE SET reason = excluded.reason`,
    timesOfFirstQueued: `
      SELECT coalesce(sum(times), 0)::int AS times FROM (
        SELECT times FROM ${schema}.pages WHERE job = $1 AND state IN ('queued', 'waiting')
        ORDER BY place LIMIT $2) AS first`,

    // Pages: leases
    wakePages: `
      UPDATE ${schema}.pages SET state = 'queued' WHERE job = $1 AND state = 'waiting' AND not_before <= $2`,
    claimablePages: `
      (SELECT place, times, true AS leased FROM ${schema}.pages
        WHERE job = $1 AND state = 'leased' AND lease_until <= $2 AND depth <= $5 ORDER BY place LIMIT $3)
      UNION ALL
      (SELECT place, times, false FROM ${schema}.pages
        WHERE job = $1 AND state = 'queued' AND not_before <= $2 AND depth <= $5 ORDER BY place LIMIT $4)
      ORDER BY place LIMIT $3`,
    leastDepth: `
      SELECT least(
        (SELECT min(depth) FROM ${schema}.pages p WHERE p.job = j.number AND p.state = 'queued'),
        (SELECT min(depth) FROM ${schema}.pages p WHERE p.job = j.number AND p.state = 'waiting'),
        (SELECT min(depth) FROM ${schema}.pages p WHERE p.job = j.number AND p.state = 'leased')) AS depth
      FROM ${schema}.jobs j WHERE j.id = $1 AND j.state = 'scraping'`,
    leasePages: `
      UPDATE ${schema}.pages SET state = 'leased', worker = $3, lease_until = $4, attempts = attempts + 1,
        token = token + 1
      WHERE job = $1 AND place = ANY ($2::int[])
      RETURNING place, url, key, depth, options, attempts, deaths, token`,
    leasedPages: `
      SELECT place, token, times, repeats FROM ${schema}.pages
      WHERE job = $1 AND place = ANY ($2::int[]) AND state = 'leased'`,
    // Those that another step has locked are left to it: waiting for one, this would hold up others that wait for it.
    // Of several times given for one worker, any would be taken.
    renewLeases: `
      UPDATE ${schema}.pages p SET lease_until = greatest(p.lease_until, held.until)
      FROM (
        SELECT leased.job, leased.place, renewed.until
        FROM (
          SELECT worker, max(until) AS until FROM unnest($1::text[], $2::float8[]) AS given (worker, until) GROUP BY worker
        ) AS renewed
        JOIN ${schema}.pages leased ON leased.worker = renewed.worker
        FOR UPDATE OF leased SKIP LOCKED
      ) AS held
      WHERE p.job = held.job AND p.place = held.place`,
    jobsOfWorker: `SELECT DISTINCT job FROM ${schema}.pages WHERE worker = $1`,
    releasePages: `
      UPDATE ${schema}.pages SET state = 'queued', not_before = 0, attempts = attempts - 1,
        deaths = deaths + $3::int, worker = NULL, lease_until = NULL
      WHERE job = $1 AND worker = $2 RETURNING times`,
    leaseHolders: `SELECT DISTINCT worker FROM ${schema}.pages WHERE worker IS NOT NULL`,
    requeuePage: `
      UPDATE ${schema}.pages SET state = 'waiting', not_before = $3, worker = NULL, lease_until = NULL
      WHERE job = $1 AND place = $2`,
    dropLeasedPages: `
      UPDATE ${schema}.pages SET state = 'dropped', worker = NULL, lease_until = NULL
      WHERE job = $1 AND state = 'leased'`,

    // Pages: completion
    endPages: `
      UPDATE ${schema}.pages p SET state = ended.state, has_document = ended.has_document, worker = NULL,
        lease_until = NULL
      FROM unnest($2::int[], $3::text[], $4::bool[]) AS ended (place, state, has_document)
      WHERE p.job = $1 AND p.place = ended.place`,
    insertFinalKeys: `
      INSERT INTO ${schema}.final_keys (job, key_hash, place)
      SELECT $1, new.* FROM unnest($2::text[], $3::int[]) AS new (key_hash, place)
      ON CONFLICT (job, key_hash) DO UPDATE SET place = excluded.place`,
    insertDocument: `INSERT INTO ${schema}.documents (job, place, document) VALUES ($1, $2, $3)`,
    insertResults: `
      INSERT INTO ${schema}.results (job, position, place, bytes, url)
      SELECT $1, new.* FROM unnest($2::int[], $3::int[], $4::int[], $5::text[]) AS new (position, place, bytes, url)`,
    insertRepeatedResults: `
      INSERT INTO ${schema}.results (job, position, place, bytes, url)
      SELECT $1, $2::int + n - 1, d.place, octet_length(d.document) + octet_length(listed.url), listed.url
      FROM unnest($3::int[], $4::text[]) WITH ORDINALITY AS listed (place, url, n)
      JOIN ${schema}.documents d ON d.job = $1 AND d.place = listed.place`,
    insertFailures: `
      INSERT INTO ${schema}.failures (job, position, id, timestamp, url, code, error)
      SELECT $1, new.* FROM unnest($2::int[], $3::text[], $4::float8[], $5::text[], $6::text[], $7::text[])
        AS new (position, id, timestamp, url, code, error)`,

    // Reading
    resultSizes: `
      SELECT bytes FROM ${schema}.results WHERE job = ${jobCalled} AND position >= $2::bigint ORDER BY position LIMIT $3`,
    results: `
      SELECT d.document, r.url FROM ${schema}.results r
      JOIN ${schema}.documents d ON d.job = r.job AND d.place = r.place
      WHERE r.job = ${jobCalled} AND r.position >= $2 AND r.position < $3 ORDER BY r.position`,
    failures: `
      SELECT id, timestamp, url, code, error FROM ${schema}.failures WHERE job = ${jobCalled} ORDER BY position`,
    leftOut: `
      SELECT l.url, l.reason, false AS queued
      FROM ${schema}.left_out l JOIN ${schema}.jobs j ON j.number = l.job WHERE j.id = $1
      UNION ALL
      SELECT p.url, 'LIMIT', true FROM ${schema}.pages p JOIN ${schema}.jobs j ON j.number = p.job
      WHERE j.id = $1 AND j.state IN ('completed', 'failed') AND p.state IN ('queued', 'waiting')
      ORDER BY queued`,
    pageKeys: `
      SELECT place, key FROM ${schema}.pages WHERE job = ${jobCalled} AND place > $2 ORDER BY place LIMIT $3`,

    // Deleting
    lockDueJob: `
      SELECT number, id FROM ${schema}.jobs WHERE expires_at <= $1 ORDER BY expires_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    nextExpiry: `SELECT min(expires_at) AS at FROM ${schema}.jobs`,
    markJobRemoved: `UPDATE ${schema}.jobs SET id = NULL WHERE number = $1`,
    forgetJobTexts: `UPDATE ${schema}.job_texts SET request = '{}', memo = NULL, result = NULL, error = NULL WHERE job = $1`,
    deleteFailedItems: `DELETE FROM ${schema}.outbox WHERE state = 'failed' AND job_id = $1`,
    detachDocuments: `
      UPDATE ${schema}.outbox o SET document_job = NULL, document_place = NULL, document_text = (
        SELECT document FROM ${schema}.documents d WHERE d.job = o.document_job AND d.place = o.document_place)
      WHERE o.document_job = $1 AND o.document_place = ANY ($2::int[])`,
    documentsToDelete: `
      SELECT place FROM (
        SELECT place, sum(octet_length(document)) OVER (ORDER BY place) - octet_length(document) AS bytes_before
        FROM (SELECT place, document FROM ${schema}.documents WHERE job = $1 ORDER BY place LIMIT $2) AS first) AS sized
      WHERE bytes_before < $3`,
    deleteDocuments: `DELETE FROM ${schema}.documents WHERE job = $1 AND place = ANY ($2::int[])`,
    deleteResults: deleteFirst("results", "position"),
    deletePages: deleteFirst("pages", "place"),
    deleteFinalKeys: deleteFirst("final_keys", "key_hash"),
    deleteFailures: deleteFirst("failures", "position"),
    deleteLeftOut: deleteFirst("left_out", "url_hash"),
    deleteJobTexts: `DELETE FROM ${schema}.job_texts WHERE job = $1`,
    deleteJob: `DELETE FROM ${schema}.jobs WHERE number = $1`,

    // Ledger
    insertCharges: `
      INSERT INTO ${schema}.charges (id, team, api_key, job_id, kind, credits, tokens, at)
      SELECT * FROM unnest(
        $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[], $7::float8[], $8::float8[])
      ON CONFLICT DO NOTHING RETURNING id`,
    addToMonth: `
      INSERT INTO ${schema}.months AS m (team, month, keyless, api_key, credits, tokens)
      VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (team, month, keyless, api_key)
      DO UPDATE SET credits = m.credits + excluded.credits, tokens = m.tokens + excluded.tokens`,
    usage: `
      SELECT month, true AS keyless, '' AS api_key, sum(credits) AS credits, sum(tokens) AS tokens
      FROM ${schema}.months WHERE team = $1 GROUP BY month ORDER BY month`,
    usageByKey: `
      SELECT month, keyless, api_key, credits, tokens FROM ${schema}.months WHERE team = $1
      ORDER BY month, keyless, api_key COLLATE "C"`,

    // Outbox
    lockLanes: `
      INSERT INTO ${schema}.lanes (name, available_at)
      SELECT new.* FROM unnest($1::text[], $2::float8[]) AS new (name, due_at) ORDER BY new.name
      ON CONFLICT (name) DO UPDATE SET name = excluded.name`,
    insertItems: `
      INSERT INTO ${schema}.outbox (id, team, job_id, target, lane, payload, with_document, document_job,
        document_place, created_at, due_at)
      SELECT new.id, new.team, new.job_id, new.target, new.lane, new.payload, new.with_document,
        CASE WHEN new.with_document AND new.page IS NOT NULL THEN $1::int END,
        CASE WHEN new.with_document THEN new.page END,
        new.created_at, new.created_at
      FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bool[], $9::int[],
          $10::float8[])
        WITH ORDINALITY AS new (id, team, job_id, target, lane, payload, with_document, page, created_at, place)
      ORDER BY new.place ON CONFLICT DO NOTHING`,
    lockAvailableLanes: `
      SELECT name FROM ${schema}.lanes WHERE available_at <= $1 ORDER BY available_at, number LIMIT $2
      FOR UPDATE SKIP LOCKED`,
    takeLanes: `
      UPDATE ${schema}.lanes SET worker = $2, lease_until = $3, available_at = $3 WHERE name = ANY ($1::text[])`,
    waitingItems: `
      SELECT o.*, coalesce(o.document_text, d.document) AS document
      FROM unnest($1::text[]) AS lane (name)
      CROSS JOIN LATERAL (
        SELECT *, sum(bytes) OVER (ORDER BY number) - bytes AS bytes_before FROM (
          SELECT w.*, octet_length(w.payload) + coalesce(octet_length(w.document_text), octet_length(f.document), 0) AS bytes
          FROM ${schema}.outbox w
          LEFT JOIN ${schema}.documents f ON f.job = w.document_job AND f.place = w.document_place
          WHERE w.lane = lane.name AND w.state = 'waiting' ORDER BY w.number LIMIT $2) AS waiting) AS o
      LEFT JOIN ${schema}.documents d ON d.job = o.document_job AND d.place = o.document_place
      WHERE o.bytes_before < 4000000
      ORDER BY o.number`,
    lockLane: `SELECT worker FROM ${schema}.lanes WHERE name = $1 FOR UPDATE`,
    deleteItems: `
      DELETE FROM ${schema}.outbox WHERE id = ANY ($1::text[]) AND lane = $2 AND state = 'waiting'`,
    delayItem: `
      UPDATE ${schema}.outbox SET attempts = attempts + $5::int, due_at = $3, error = $4
      WHERE id = $1 AND lane = $2 AND state = 'waiting'`,
    holdJobOfItem: `
      SELECT 1 FROM ${schema}.jobs WHERE id = (SELECT job_id FROM ${schema}.outbox WHERE id = $1) FOR SHARE`,
    forgetItem: `
      DELETE FROM ${schema}.outbox o
      WHERE o.id = $1 AND o.lane = $2 AND o.state = 'waiting' AND o.job_id IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM ${schema}.jobs j JOIN ${schema}.job_texts t ON t.job = j.number
        WHERE j.id = o.job_id AND (NOT j.zero_data_retention OR j.state = 'scraping' OR t.request <> '{}'))`,
    giveUpItem: `
      UPDATE ${schema}.outbox SET attempts = attempts + $5::int, state = 'failed', failed_at = $3, error = $4
      WHERE id = $1 AND lane = $2 AND state = 'waiting'`,
    freeLane: `UPDATE ${schema}.lanes SET worker = NULL, lease_until = $2 WHERE name = $1`,
    firstDue: `
      SELECT due_at FROM ${schema}.outbox WHERE lane = $1 AND state = 'waiting' ORDER BY number LIMIT 1`,
    rescheduleLane: `UPDATE ${schema}.lanes SET available_at = greatest($2::float8, lease_until) WHERE name = $1`,
    deleteLane: `DELETE FROM ${schema}.lanes WHERE name = $1`,
    nextDue: `SELECT min(available_at) AS at FROM ${schema}.lanes`,
    failedItems: `
      SELECT * FROM ${schema}.outbox WHERE state = 'failed' AND team = $1 AND ($2::text IS NULL OR job_id = $2)
      ORDER BY failed_at, number LIMIT $3 OFFSET $4`,
    laneHolders: `SELECT DISTINCT worker FROM ${schema}.lanes WHERE worker IS NOT NULL`,
    lockLanesOfWorker: `SELECT name FROM ${schema}.lanes WHERE worker = $1 ORDER BY name FOR UPDATE`,
    failedItem: `SELECT lane, created_at FROM ${schema}.outbox WHERE id = $1 AND team = $2 AND state = 'failed'`,
    redeliverItem: `
      UPDATE ${schema}.outbox SET number = nextval('${schema}.outbox_order'), state = 'waiting', failed_at = NULL,
        attempts = 0, due_at = created_at
      WHERE id = $1 AND team = $2 AND state = 'failed' RETURNING id`,

    // Cache
    cachedPage: `SELECT stored_at, head, body FROM ${schema}.cached_pages WHERE team = $1 AND key_hash = $2`,
    lockCache: `SELECT bytes FROM ${schema}.cache_size FOR UPDATE`,
    deleteCachedPages: `
      DELETE FROM ${schema}.cached_pages p USING unnest($1::text[], $2::text[]) AS one (team, key_hash)
      WHERE p.team = one.team AND p.key_hash = one.key_hash RETURNING p.bytes`,
    insertCachedPage: `
      INSERT INTO ${schema}.cached_pages (team, key_hash, stored_at, head, body, bytes)
      VALUES ($1, $2, $3, $4, $5, $6)`,
    // As many as are needed to free $1 bytes, but at most 200: all of these are read.
    deleteOldestCachedPages: `
      DELETE FROM ${schema}.cached_pages WHERE (team, key_hash) IN (
        SELECT team, key_hash FROM (
          SELECT team, key_hash, sum(bytes) OVER (ORDER BY number) - bytes AS before
          FROM (SELECT team, key_hash, number, bytes FROM ${schema}.cached_pages ORDER BY number LIMIT 200) AS oldest
        ) AS summed WHERE before < $1)
      RETURNING bytes`,
    deleteAgedCachedPages: `
      DELETE FROM ${schema}.cached_pages WHERE (team, key_hash) IN (
        SELECT team, key_hash FROM ${schema}.cached_pages WHERE stored_at <= $1 ORDER BY stored_at LIMIT $2)
      RETURNING bytes`,
    setCacheSize: `UPDATE ${schema}.cache_size SET bytes = $1`,

    // Search index
    lockIndex: `SELECT bytes FROM ${schema}.index_size FOR UPDATE`,
    setIndexSize: `UPDATE ${schema}.index_size SET bytes = $1`,
    insertIndexedPages: `
      INSERT INTO ${schema}.indexed_pages (team, key_hash, url, title, description, text, at, bytes, seen_at)
      SELECT * FROM unnest(
        $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::float8[], $8::integer[],
        $9::float8[])`,
    // The places, in the given lists, of pages that were seen before those that are stored; $4 is now.
    outdatedPages: `
      SELECT (one.place - 1)::integer AS place
      FROM unnest($1::text[], $2::text[], $3::float8[]) WITH ORDINALITY AS one (team, key_hash, seen_at, place)
      JOIN ${schema}.indexed_pages p ON p.team = one.team AND p.key_hash = one.key_hash
      WHERE p.seen_at > one.seen_at AND p.seen_at <= $4`,
    // Locked in the order in which a search locks new pages: otherwise the two could wait for each other.
    deleteIndexedPages: `
      DELETE FROM ${schema}.indexed_pages WHERE number IN (
        SELECT p.number FROM ${schema}.indexed_pages p
        JOIN unnest($1::text[], $2::text[]) AS one (team, key_hash) ON p.team = one.team AND p.key_hash = one.key_hash
        ORDER BY p.number FOR UPDATE OF p)
      RETURNING bytes`,
    // As many as are needed to free $1 bytes, but at most 200: all of these are read. Locked in the same order.
    deleteOldestIndexedPages: `
      DELETE FROM ${schema}.indexed_pages WHERE number IN (
        SELECT p.number FROM ${schema}.indexed_pages p
        JOIN (
          SELECT number, sum(bytes) OVER (ORDER BY number) - bytes AS before
          FROM (SELECT number, bytes FROM ${schema}.indexed_pages ORDER BY number LIMIT 200) AS oldest
        ) AS summed ON summed.number = p.number AND summed.before < $1
        ORDER BY p.number FOR UPDATE OF p)
      RETURNING bytes`,
    uncountedPages: `
      SELECT number, url, title, description, text FROM ${schema}.indexed_pages
      WHERE team = $1 AND length IS NULL ORDER BY number LIMIT $2 FOR UPDATE`,
    countPages: `
      UPDATE ${schema}.indexed_pages p SET text = counted.text, words = counted.words::jsonb, length = counted.length
      FROM unnest($1::integer[], $2::text[], $3::text[], $4::integer[]) AS counted (number, text, words, length)
      WHERE p.number = counted.number`,
    // $2 are the words that rank, $3 those that a page holds all, $4 those of which it holds one. $3 begins with the
    // team's own, so that the index on words settles whose a page is; OFFSET 0 keeps the planner from going by other
    // indexes first. A word that many pages hold says little. The words of a page are joined with nothing so that they
    // are unpacked once, not for each word that is looked up in them: that is two thirds of the time.
    matchingPages: `
      WITH team AS MATERIALIZED (
        SELECT count(*)::float8 AS pages, coalesce(nullif(avg(length), 0), 1) AS mean_length
        FROM ${schema}.indexed_pages WHERE team = $1 AND length IS NOT NULL
      ), wanted AS MATERIALIZED (
        SELECT word, ln(1 + (pages - holders + 0.5) / (holders + 0.5)) AS rarity
        FROM team, unnest($2::text[]) AS word, LATERAL (
          SELECT count(*)::float8 AS holders FROM ${schema}.indexed_pages WHERE words ?& ARRAY[($3::text[])[1], word]
        ) AS held
      ), matching AS (
        SELECT number, at, length, words || '{}' AS words FROM ${schema}.indexed_pages
        WHERE words ?& $3::text[] AND words ?| $4::text[] OFFSET 0
      )
      SELECT number FROM team, matching, LATERAL (
        SELECT sum(rarity * count * ($8::float8 + 1) / (count + $8 * (1 - $9::float8 + $9 * length / mean_length))) AS score
        FROM wanted, LATERAL (SELECT coalesce((words ->> word)::float8, 0) AS count) AS here
      ) AS ranked
      WHERE at BETWEEN $5 AND $6
      ORDER BY score DESC, number DESC LIMIT $7`,
    latestPages: `
      SELECT number FROM ${schema}.indexed_pages
      WHERE team = $1 AND length IS NOT NULL AND at BETWEEN $2 AND $3 ORDER BY at DESC, number DESC LIMIT $4`,
    indexedPages: `
      SELECT number, url, title, description, text FROM ${schema}.indexed_pages WHERE number = ANY ($1::int[])`,
    indexedUrls: `SELECT url FROM ${schema}.indexed_pages WHERE team = $1 AND strpos(url, $2) > 0 LIMIT $3`,
    pagesAtUrls: `
      SELECT number, url, title, description, text FROM ${schema}.indexed_pages
      WHERE team = $1 AND length IS NOT NULL AND url = ANY ($2::text[])`,

    // Page versions
    lastVersion: `
      SELECT scraped_at, markdown, fingerprint, is_gone FROM ${schema}.page_versions
      WHERE team = $1 AND tag = $2 AND key_hash = $3`,
    putVersion: `
      INSERT INTO ${schema}.page_versions
        (team, tag, key_hash, url, scraped_at, markdown, fingerprint, is_gone, expires_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      ON CONFLICT (team, tag, key_hash) DO UPDATE SET url = excluded.url, scraped_at = excluded.scraped_at,
        markdown = excluded.markdown, fingerprint = excluded.fingerprint, is_gone = excluded.is_gone,
        expires_at = excluded.expires_at`,
    putMeeting: `
      INSERT INTO ${schema}.page_meetings (team, tag, key_hash, site_hash, job_id) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (team, tag, site_hash, key_hash) DO UPDATE SET job_id = excluded.job_id`,
    unseenPages: `
      SELECT v.url FROM ${schema}.page_meetings m JOIN ${schema}.page_versions v USING (team, tag, key_hash)
      WHERE m.team = $1 AND m.tag = $2 AND m.site_hash = $3 AND m.job_id <> $4 AND NOT v.is_gone
      ORDER BY m.key_hash LIMIT $5`,
    deleteDueVersions: `
      WITH due AS MATERIALIZED (
        SELECT team, tag, key_hash FROM ${schema}.page_versions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2
        FOR UPDATE SKIP LOCKED
      )
      DELETE FROM ${schema}.page_versions v USING due
      WHERE v.team = due.team AND v.tag = due.tag AND v.key_hash = due.key_hash RETURNING v.team`,
    nextVersionExpiry: `SELECT min(expires_at) AS at FROM ${schema}.page_versions`,
  } as const;
}

export type StatementName = keyof ReturnType<typeof statements>;
