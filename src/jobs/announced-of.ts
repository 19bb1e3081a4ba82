import { webhook } from "../contract/webhook.ts";
import type { JobKind, JobRecord } from "../ports/job-store.ts";
import type { AnnouncedJob } from "./announce.ts";

/** What an announcement needs to know of a stored job, even of one whose request this version does not understand. */
export function announcedOf({ id, team, kind, request }: JobRecord): AnnouncedJob {
  return { id, team, kind, webhook: webhookOf(kind, request) };
}

/** The job's webhook, if that much of the request can be read. */
function webhookOf(kind: JobKind, request: string): AnnouncedJob["webhook"] {
  try {
    const stored = (JSON.parse(request) as { readonly webhook?: string }).webhook;
    return stored === undefined ? null : webhook(kind).parse(stored);
  } catch {
    return null;
  }
}
