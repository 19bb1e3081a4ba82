/** Groups the items of several lists: objects about the same thing, and equal plain values. */
import type { Turn } from "../shared/turn.ts";
import { sameScalar } from "./comparable-text.ts";
import { type Identity, identifier, unite } from "./entity.ts";
import { isObject, type JsonObject } from "./json-value.ts";
import {
  ambiguousTokens,
  type Candidate,
  exactToken,
  fillIn,
  isSameItem,
  maxLookalikes,
  type Path,
  type Thing,
  tokensOf,
} from "./same-item.ts";

/**
 * The items of each group, in the order in which the groups were first met. Long lists take several turns of the event
 * loop.
 *
 * @param lists candidates whose values are lists
 * @param path where the lists belong in the result
 * @param areParts the lists are from parts of one page, so that items of one name are as different as in one list
 */
export async function groupItems(
  lists: readonly Candidate[],
  path: Path,
  areParts: boolean,
  turn: Turn,
): Promise<readonly (readonly Candidate[])[]> {
  const identify = identifier(path.findLast((part) => typeof part === "string") ?? "");
  const groups = new ItemGroups(areParts ? null : await ambiguousTokens(lists, identify, turn), turn);
  for (const list of lists) {
    for (const [index, value] of (list.value as unknown[]).entries()) {
      if (turn.isOver()) await turn.next();
      const item: Candidate = { ...list, value, path: [...list.path, index] };
      if (isObject(value)) await groups.addObject(item, value, identify(value));
      // A single list keeps repeated values, such as a column of figures: there is no other list to merge it with.
      else if (lists.length === 1) groups.all.push([item]);
      else groups.addPlain(item);
    }
  }
  return groups.all;
}

class ItemGroups {
  readonly all: Candidate[][] = [];
  readonly #things: Thing[] = [];
  /** Numbers of things. */
  readonly #byToken = new Map<string, readonly number[]>();
  readonly #plain = new Map<string, Candidate[]>();
  readonly #ambiguous: ReadonlySet<string> | null;
  readonly #turn: Turn;

  constructor(ambiguous: ReadonlySet<string> | null, turn: Turn) {
    this.#ambiguous = ambiguous;
    this.#turn = turn;
  }

  addPlain(item: Candidate): void {
    const { value } = item;
    const key = Array.isArray(value) ? JSON.stringify(value) : sameScalar(value);
    const known = this.#plain.get(key);
    if (known !== undefined) {
      known.push(item);
      return;
    }
    const group = [item];
    this.#plain.set(key, group);
    this.all.push(group);
  }

  async addObject(item: Candidate, value: JsonObject, identity: Identity): Promise<void> {
    const exact = await exactToken(value, this.#turn);
    const tokens = [...tokensOf(value, identity), exact];
    const newcomer = { item, identity, exact };
    const found = this.#lookalikes(tokens).find((at) => isSameItem(this.#things[at]!, newcomer, this.#ambiguous));
    if (found === undefined) {
      const froms = new Set([item.from]);
      const thing = { members: [item], froms, texts: new Set([exact]), identity, known: { ...value } };
      this.#things.push(thing);
      this.all.push(thing.members);
    } else {
      const thing = this.#things[found]!;
      thing.members.push(item);
      thing.froms.add(item.from);
      thing.texts.add(exact);
      unite(thing.identity, identity);
      await fillIn(thing.known, value, this.#turn);
    }
    for (const token of tokens) {
      const places = this.#byToken.get(token) ?? [];
      if (places.length < maxLookalikes && (found === undefined || !places.includes(found))) {
        this.#byToken.set(token, [...places, found ?? this.#things.length - 1]);
      }
    }
  }

  /** The things that an object with these tokens is compared with, those first met first. */
  #lookalikes(tokens: readonly string[]): number[] {
    const places = tokens.flatMap((token) => this.#byToken.get(token) ?? []);
    return [...new Set(places)].sort((left, right) => left - right);
  }
}
