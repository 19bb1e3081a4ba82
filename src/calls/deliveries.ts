import type { CallContext } from "../contract/call-context.ts";
import type { FailedDeliveries } from "../contract/deliveries.ts";
import { RequestError } from "../errors.ts";
import type { FailedItem } from "../ports/outbox.ts";
import type { CallParts } from "./call-parts.ts";
import { openCall } from "./open-call.ts";

/** Events of the caller's team that no receiver took, oldest first; of one job when asked. */
export async function failedDeliveries(
  parts: CallParts,
  filter: { readonly jobId?: string } = {},
  context?: CallContext,
): Promise<FailedDeliveries> {
  const { team } = openCall(parts, context);
  const items = await parts.storage.outbox.listFailed({ team, ...filter });
  return { success: true, deliveries: items.map(describe) };
}

/** Delivers an event once more, as if it had never been tried. */
export async function redeliver(parts: CallParts, id: string, context?: CallContext): Promise<{ success: true }> {
  const { team } = openCall(parts, context);
  if (!(await parts.storage.outbox.redeliver(id, team))) throw new RequestError("NOT_FOUND", "Delivery not found");
  parts.start.wakeOutbox();
  return { success: true };
}

function describe({ id, jobId, target, payload, attempts, error, failedAt }: FailedItem) {
  const parsed = JSON.parse(payload) as { url?: string; type?: string; event?: { type: string } };
  return {
    id,
    jobId,
    target,
    type: parsed.event?.type ?? parsed.type ?? "",
    ...(parsed.event === undefined || parsed.url === undefined ? {} : { url: parsed.url }),
    attempts,
    error,
    failedAt: new Date(failedAt).toISOString(),
  };
}
