/** Asking whether a team may spend, and booking what a call outside of jobs cost. */
import type { ParsedCallContext } from "../contract/call-context.ts";
import { RequestError } from "../errors.ts";
import { chargeItem } from "../jobs/announce.ts";
import type { ChargeKind } from "../ports/ledger.ts";
import type { CallParts } from "./call-parts.ts";

/** @throws RequestError `INSUFFICIENT_CREDITS` when the host's billing refuses */
export async function authorize(
  { billing }: Pick<CallParts, "billing">,
  { team, apiKey }: ParsedCallContext,
  kind: ChargeKind,
  atLeast: number,
): Promise<void> {
  if (billing === null) return;
  const answer = await billing.authorize({ team, apiKey: apiKey ?? null, kind, atLeast });
  if (!answer.allowed) throw new RequestError("INSUFFICIENT_CREDITS", `Insufficient credits: ${answer.reason}`);
}

export async function book(
  { storage, start, billing }: Pick<CallParts, "storage" | "start" | "billing">,
  { team, apiKey }: ParsedCallContext,
  charge: { readonly id: string; readonly kind: ChargeKind; readonly credits: number; readonly tokens: number },
): Promise<void> {
  const booked = { ...charge, team, apiKey: apiKey ?? null, jobId: null, at: Date.now() };
  await storage.ledger.charge(booked);
  if (billing === null) return;
  await storage.outbox.add([chargeItem(booked)]);
  start.wakeOutbox();
}
