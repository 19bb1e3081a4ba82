/** Asking whether a team may spend, and booking what a call outside of jobs cost. */
import { randomUUID } from "node:crypto";
import type { ParsedCallContext } from "../contract/call-context.ts";
import { RequestError } from "../errors.ts";
import type { Deadline } from "../fetch/deadline.ts";
import { chargeItem, countCharge, releaseItems } from "../jobs/announce.ts";
import { surely } from "../jobs/surely.ts";
import type { Authorization, BillingRequest, Reservation } from "../ports/billing.ts";
import type { ChargeKind } from "../ports/ledger.ts";
import { orAborted } from "../shared/or-aborted.ts";
import { quietly } from "../shared/quietly.ts";
import type { CallParts } from "./call-parts.ts";

type PayParts = Pick<CallParts, "storage" | "start" | "billing" | "closing" | "track">;

/** What the host's billing is asked for. */
type Spending = Pick<BillingRequest, "kind" | "atLeast">;

/**
 * @param id names what is reserved: the job, or the charge of a single call
 * @param release releases it, if the host's billing fails: it may have reserved before, and only its answer is lost
 * @throws RequestError `INSUFFICIENT_CREDITS` when the host's billing refuses, `UNSUPPORTED` when it gives no answer
 */
async function authorize(
  { billing, closing }: PayParts,
  { team, apiKey }: ParsedCallContext,
  spending: Spending,
  id: string,
  release: () => Promise<void>,
): Promise<void> {
  if (billing === null) return;
  const asked = (async () =>
    readAnswer(await billing.authorize({ team, apiKey: apiKey ?? null, ...spending }, { id, team })))();
  // A host that takes its time does not hold up the closing of the engine. What it reserves after that is released
  // here, because nobody else would.
  const answer = await orAborted(asked, closing).catch(async (error: unknown) => {
    if (closing.aborted) {
      asked.then(
        ({ allowed }) => quietly(() => allowed && billing.release?.({ id, team })),
        () => {},
      );
    } else await release();
    throw error;
  });
  if (!answer.allowed) {
    const why = answer.reason ? `: ${answer.reason}` : "";
    throw new RequestError("INSUFFICIENT_CREDITS", `Insufficient credits${why}`);
  }
}

/** An answer of another form is a fault of the host, and allows nothing. */
function readAnswer(answer: Authorization): Authorization {
  if (typeof (answer as Partial<Authorization> | null | undefined)?.allowed === "boolean") return answer;
  throw new RequestError("UNSUPPORTED", "billing.authorize must give { allowed: true } or { allowed: false, reason }");
}

/**
 * Authorises the start of a job under its id, which is returned, and releases it if the job could not be started. The
 * end of the job releases it too.
 */
export async function reserve(
  parts: PayParts,
  caller: ParsedCallContext,
  spending: Spending,
  start: (id: string) => Promise<void>,
): Promise<string> {
  const id = randomUUID();
  const end = () => releaseSurely(parts, { id, team: caller.team });
  await authorize(parts, caller, spending, id, end);
  try {
    // Billing may have taken its time.
    caller.signal?.throwIfAborted();
    await start(id);
    return id;
  } catch (error) {
    await end();
    throw error;
  }
}

/**
 * Authorises more work for an existing job, whose end releases this too. If nothing could be added and the job has
 * already ended, it is released here.
 */
export async function reserveMore(
  parts: PayParts,
  caller: ParsedCallContext,
  spending: Spending,
  jobId: string,
  add: () => Promise<void>,
): Promise<void> {
  const endIfOver = () =>
    surely(async () => {
      const job = await parts.storage.jobs.getJob(jobId, Date.now());
      if (job?.state !== "scraping") await release(parts, { id: jobId, team: caller.team });
    }, parts.closing);
  await authorize(parts, caller, spending, jobId, endIfOver);
  try {
    caller.signal?.throwIfAborted();
    await add();
  } catch (error) {
    await endIfOver();
    throw error;
  }
}

/**
 * Authorises a call outside of jobs before its work, and releases it afterwards, however it ends. `work` books its
 * charge under `id`.
 *
 * @param deadline that of the call, which the host's billing has to keep too
 */
export async function payFor<Value>(
  parts: PayParts,
  caller: ParsedCallContext,
  spending: Spending,
  deadline: Deadline,
  work: (id: string) => Promise<Value>,
): Promise<Value> {
  const id = randomUUID();
  const end = () => releaseSurely(parts, { id, team: caller.team });
  const authorized = authorize(parts, caller, spending, id, end);
  deadline.awaits("billing.authorize");
  try {
    await orAborted(authorized, deadline.signal);
  } catch (error) {
    // What is allowed too late is released, because nobody uses it.
    if (deadline.signal.aborted) parts.track(authorized.then(end, () => {}));
    throw error;
  }
  deadline.awaits(undefined);
  try {
    return await work(id);
  } finally {
    await end();
  }
}

/** Does not change the outcome of the call, even if it fails. */
function releaseSurely(parts: PayParts, reservation: Reservation): Promise<void> {
  return surely(() => release(parts, reservation), parts.closing);
}

/** Releases what was reserved for work that has ended, or never began. */
async function release({ storage, start }: PayParts, reservation: Reservation): Promise<void> {
  const items = releaseItems(start.sinks, reservation);
  if (items.length === 0) return;
  await storage.outbox.add(items);
  start.wakeOutbox();
}

/** Books the cost of a call outside of jobs, and tells the host's own billing. */
export async function book(
  { storage, start, billing, telemetry }: Pick<CallParts, "storage" | "start" | "billing" | "telemetry">,
  { team, apiKey }: ParsedCallContext,
  charge: { readonly id: string; readonly kind: ChargeKind; readonly credits: number; readonly tokens: number },
): Promise<void> {
  const booked = { ...charge, team, apiKey: apiKey ?? null, jobId: null, at: Date.now() };
  await storage.ledger.charge(booked, billing === null ? [] : [chargeItem(booked)]);
  countCharge(telemetry, charge);
  if (billing !== null) start.wakeOutbox();
}
