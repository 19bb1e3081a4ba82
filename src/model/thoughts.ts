/** Finds the thoughts that precede an answer, if the provider has not removed them. */

const thoughtsStart = /^(?:<(?:think|thinking|thought|reasoning)>|\[think\])/i;
const thoughtsEnd = /<\/(?:think|thinking|thought|reasoning)>|\[\/think\]/gi;

/**
 * Models that think aloud do so before they answer, and write drafts there. The opening mark is often part of the
 * prompt, so that the answer contains only the closing one. A text that breaks off within the thoughts has no answer.
 */
export function splitThoughts(text: string): ["opened" | "unopened" | "none", string] {
  const end = text.matchAll(thoughtsEnd).reduce((_, { index, 0: mark }) => index + mark.length, 0);
  if (end === 0) return thoughtsStart.test(text) ? ["opened", ""] : ["none", text];
  return [thoughtsStart.test(text) ? "opened" : "unopened", text.slice(end).trim()];
}

/** The answer in a text that is not JSON; empty if it breaks off within the thoughts. */
export function withoutThoughts(text: string): string {
  const [, answer] = splitThoughts(text.trim());
  return answer;
}
