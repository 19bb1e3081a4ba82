/** What every call does first: make sure that the engine is open, and read who calls. */
import { type CallContext, callContext, type ParsedCallContext } from "../contract/call-context.ts";
import { parse } from "../contract/parse.ts";
import { RequestError } from "../errors.ts";
import { orAborted } from "../shared/or-aborted.ts";
import type { CallParts } from "./call-parts.ts";

/** What calls reject with once the engine is closed. */
export function closedError(): RequestError {
  return new RequestError("ENGINE_CLOSED", "The engine is closed");
}

/** @throws RequestError `ENGINE_CLOSED` */
export function requireOpen({ closing }: Pick<CallParts, "closing">): void {
  if (closing.aborted) throw closedError();
}

/** @throws RequestError `ENGINE_CLOSED`, `BAD_REQUEST`; or the signal's reason, if it has already fired */
export function openCall(parts: Pick<CallParts, "closing">, context: CallContext | undefined): ParsedCallContext {
  requireOpen(parts);
  const parsed = parse(callContext, context, "call context");
  parsed.signal?.throwIfAborted();
  return parsed;
}

/**
 * Who calls, and the request that `read` gives.
 *
 * @throws as {@link openCall} and `read` do; if both arguments are wrong, one error that names everything at once
 */
export async function openCallFor<Request>(
  parts: Pick<CallParts, "closing">,
  context: CallContext | undefined,
  read: (signal: AbortSignal | undefined) => Request | Promise<Request>,
): Promise<{ caller: ParsedCallContext; request: Request }> {
  let caller: ParsedCallContext;
  try {
    caller = openCall(parts, context);
  } catch (error) {
    throw isBadRequest(error) ? await withFaultsOf(async () => read(undefined), error) : error;
  }
  return { caller, request: await read(caller.signal) };
}

function isBadRequest(error: unknown): error is RequestError {
  return RequestError.isInstance(error) && error.code === "BAD_REQUEST";
}

/** The error, together with that of the reading if it fails too. */
async function withFaultsOf(read: () => Promise<unknown>, known: RequestError): Promise<RequestError> {
  try {
    await read();
    return known;
  } catch (error) {
    if (!isBadRequest(error)) return known;
    const details = [...(error.details ?? []), ...(known.details ?? [])];
    return new RequestError("BAD_REQUEST", `${error.message} ${known.message}`, { details, cause: error.cause });
  }
}

/** One signal that fires when the caller aborts or the engine closes. */
export function unitedSignal(parts: Pick<CallParts, "closing">, signal: AbortSignal | undefined): AbortSignal {
  return signal === undefined ? parts.closing : AbortSignal.any([parts.closing, signal]);
}

/**
 * The outcome of a call, or the reason of the caller's signal once that fires, whatever part of a host the call is
 * waiting for.
 */
export function untilAborted<Value>(context: CallContext | undefined, outcome: Promise<Value>): Promise<Value> {
  return orAborted(outcome, signalOf(context));
}

/** If there is something wrong with the context, the call itself reports it. */
function signalOf(context: CallContext | undefined): AbortSignal | undefined {
  try {
    return parse(callContext, context, "call context").signal;
  } catch {
    return undefined;
  }
}
