import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Runs a program of this folder and kills it `wait` milliseconds after it is time, unless it has ended by then. */
export async function runAndKill(
  program: string,
  args: readonly string[],
  isTime: () => boolean,
  wait = 0,
): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  let isOver = false;
  const exited = once(child, "exit").finally(() => {
    isOver = true;
  });
  while (!isOver && !isTime()) await delay(1);
  if (wait > 0) await delay(wait);
  child.kill("SIGKILL");
  await exited;
}
