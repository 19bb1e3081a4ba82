/** Goes round the jobs: has them begin the pages that may start, lease further ones, and looks when that is due again. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { Turn } from "../shared/turn.ts";
import { createAlarm } from "./alarm.ts";
import type { Hosts } from "./hosts.ts";
import type { Lane } from "./lane.ts";
import type { Lanes } from "./lanes.ts";

interface Rounds {
  /** Call it whenever something has happened; one round is for all that has happened before it. */
  soon(): void;
  /** There are no more jobs. */
  stop(): void;
}

interface RoundsParts {
  readonly working: ReadonlyMap<string, { readonly lane: Lane; refill(): void }>;
  readonly lanes: Lanes;
  readonly hosts: Hosts;
  /** Follows a round to its end. */
  readonly track: (work: Promise<void>) => void;
  readonly isStopping: () => boolean;
}

/** How soon jobs are asked for a page that could not be asked in a round, in milliseconds. */
const askOthersMs = 2;
/** All jobs are gone over no more often than this for each of them: of thousands, none runs out of pages so soon. */
const lookMsPerJob = 0.01;
/**
 * Turns of the event loop for which pages that may begin are gathered, and the most milliseconds since the last round.
 * Pages that begin together take less time than one after the other: their requests reach a sleeping server together,
 * and so do the answers. In an idle process this takes some microseconds.
 */
const turnsPerRound = 16;
const gatherMs = 40;

export function createRounds({ working, lanes, hosts, track, isStopping }: RoundsParts): Rounds {
  const alarm = createAlarm(working, hosts, soon);
  let isComing = false;
  let areOthersComing = false;
  let look: NodeJS.Timeout | undefined;
  let lookedAt = 0;
  let wentAt = 0;

  /**
   * In another turn of the event loop: pages that end without waiting for anything, because their addresses are refused,
   * would otherwise follow each other without giving way to the host.
   */
  function soon(): void {
    lanes.askAgain();
    if (isComing || isStopping()) return;
    isComing = true;
    track(gather().then(goRound));
  }

  async function gather(): Promise<void> {
    await nextTurn();
    for (let turn = 1; turn < turnsPerRound && performance.now() < wentAt + gatherMs; turn++) await nextTurn();
  }

  function goRound(): void {
    wentAt = performance.now();
    isComing = false;
    if (isStopping()) return;
    const turn = new Turn();
    const left = lanes.begin(performance.now(), () => turn.isOver());
    if (left === "pages") return soon();
    if (left === "unasked" && !areOthersComing) {
      areOthersComing = true;
      setTimeout(askOthers, askOthersMs);
    }
    const wait = lookedAt + working.size * lookMsPerJob - performance.now();
    if (wait < 1) lookAtAll();
    else look ??= setTimeout(lookAtAll, wait);
  }

  function askOthers(): void {
    areOthersComing = false;
    goRound();
  }

  function lookAtAll(): void {
    clearTimeout(look);
    look = undefined;
    if (isStopping()) return;
    lookedAt = performance.now();
    for (const job of working.values()) job.refill();
    alarm.set();
  }

  return {
    soon,
    stop() {
      // Single calls go on.
      clearTimeout(look);
      look = undefined;
      alarm.stop();
    },
  };
}
