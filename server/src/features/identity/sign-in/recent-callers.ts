import { keepNewest } from '../../../platform/keep-newest.ts';
import type { AccessCaller } from './access-caller.ts';

// Who was proved a moment ago. Whoever follows a search asks for its state and its rows in quick succession, and each
// time the session would be read anew. Only calls that say so use this (`followsUp`): they read on what the same
// session began. A session that ends in this process is forgotten at once, and anything else that takes a right away
// holds for these calls a second later at most.

const RECENT_MS = 1_000;
const MAX_CALLERS = 1_000;

export interface RecentCallers {
  /** The caller of a session that was read within the last second, by a clock that never goes back; else null. */
  find(ssid: string): AccessCaller | null;
  /** To be asked before a session is read; the answer keeps the caller that was found. */
  watch(ssid: string): (caller: AccessCaller) => AccessCaller;
  /** Sessions have ended: nobody is known any more, nor is who is being read. */
  forget(): void;
}

export function createRecentCallers(nowMs: () => number = () => performance.now()): RecentCallers {
  const known = new Map<string, { readonly caller: AccessCaller; readonly readMs: number }>();
  let generation = 0;
  return {
    find: (ssid) => {
      const found = known.get(ssid);
      return found && nowMs() - found.readMs < RECENT_MS ? found.caller : null;
    },
    watch: (ssid) => {
      const [readMs, began] = [nowMs(), generation];
      return (caller) => {
        if (began !== generation) return caller;
        keepNewest(known, ssid, { caller, readMs }, MAX_CALLERS);
        return caller;
      };
    },
    forget: () => {
      generation += 1;
      known.clear();
    },
  };
}
