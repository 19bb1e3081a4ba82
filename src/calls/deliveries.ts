import type { CallContext } from "../contract/call-context.ts";
import { type DeliveryFilter, deliveryFilter, type FailedDeliveries } from "../contract/deliveries.ts";
import { parse } from "../contract/parse.ts";
import { RequestError } from "../errors.ts";
import type { FailedItem } from "../ports/outbox.ts";
import type { CallParts } from "./call-parts.ts";
import { openCall, openCallFor } from "./open-call.ts";

/** Events of the caller's team whose delivery was given up, oldest first; those of one job, if asked. */
export async function failedDeliveries(
  parts: CallParts,
  filter?: DeliveryFilter,
  context?: CallContext,
): Promise<FailedDeliveries> {
  const { caller, request } = await openCallFor(parts, context, () => parse(deliveryFilter, filter, "delivery filter"));
  const items = await parts.storage.outbox.listFailed({ ...request, team: caller.team });
  return { success: true, deliveries: items.map(describe) };
}

/** Delivers an event once more, as if it had never been tried. */
export async function redeliver(parts: CallParts, id: string, context?: CallContext): Promise<{ success: true }> {
  const { team } = openCall(parts, context);
  const found = typeof id === "string" && (await parts.storage.outbox.redeliver(id, team));
  if (!found) throw new RequestError("NOT_FOUND", "Delivery not found");
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
