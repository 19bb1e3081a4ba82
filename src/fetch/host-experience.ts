/**
 * What an engine has learned about hosts: whether rendering their pages yields text that HTTP does not. It decides
 * doubtful pages only, never clear cases.
 */

export interface HostExperience {
  /** Whether rendering has helped on this host, has been in vain, or nothing is known. */
  of(host: string): "helps" | "vain" | "unknown";
  /**
   * Records one page that was fetched both ways; `http` and `browser` are the numbers of characters of text. To be
   * called only for complete, successful answers: a failure says nothing about the host.
   */
  learn(host: string, texts: { readonly http: number; readonly browser: number }): void;
}

interface Tally {
  helped: number;
  vain: number;
}

const maxHosts = 2_000;
/** How many pages must agree before anything is concluded. */
const enoughPages = 2;
/** The tally is limited, so that old pages count less and a change of the host is noticed. */
const maxTally = 8;

export function createHostExperience(): HostExperience {
  const hosts = new Map<string, Tally>();
  return {
    of(host) {
      const tally = hosts.get(host);
      if (!tally) return "unknown";
      if (tally.helped >= enoughPages && tally.helped > 2 * tally.vain) return "helps";
      return tally.vain >= enoughPages && tally.vain > 2 * tally.helped ? "vain" : "unknown";
    },
    learn(host, { http, browser }) {
      const tally = hosts.get(host) ?? { helped: 0, vain: 0 };
      if (browser > http * 1.5 + 50) tally.helped += 1;
      else tally.vain += 1;
      if (tally.helped + tally.vain > maxTally) {
        tally.helped /= 2;
        tally.vain /= 2;
      }
      hosts.delete(host);
      if (hosts.size >= maxHosts) hosts.delete(hosts.keys().next().value!);
      hosts.set(host, tally);
    },
  };
}
