import { keepNewest } from '../../platform/keep-newest.ts';
import type { Detection, RuleDefinition } from './rule-definition.ts';
import type { Window } from './scheduler-machine.ts';

// Whether a window follows on the one that this process evaluated last for a detection as it is now: what groups without new
// events tell was then found before. From time to time nothing is taken for granted, so that an event that came in late beside
// others is seen with them.

/** After so many windows one is evaluated as if none had been. */
export const MOST_FOLLOWED = 10;
const MOST_KNOWN = 20_000;

interface Last {
  readonly to: number;
  readonly version: number;
  readonly lookback: number;
  readonly query: string;
  /** Windows since all groups were read. */
  readonly followed: number;
}

export interface FollowedWindows {
  follows(rule: RuleDefinition, detection: Detection, window: Window): boolean;
  /** `isWhole`: all groups were read. */
  evaluated(rule: RuleDefinition, detection: Detection, window: Window, isWhole: boolean): void;
}

const keyOf = ({ clusterId, scopeId, workbookId, detections }: RuleDefinition, detection: Detection) =>
  [clusterId, scopeId, workbookId, detections.indexOf(detection)].join(' ');

/** Whether a detection asks what it asked then. */
const isSame = (last: Last, { version, schedule }: RuleDefinition, { kql }: Detection): boolean =>
  last.version === version && last.lookback === schedule.lookback_minutes && last.query === kql.body.query;

export function createFollowedWindows(): FollowedWindows {
  const known = new Map<string, Last>();
  return {
    follows: (rule, detection, window) => {
      if (rule.schedule.lookback_minutes === 0) return false;
      const last = known.get(keyOf(rule, detection));
      return last?.to === window.from && last.followed < MOST_FOLLOWED && isSame(last, rule, detection);
    },
    evaluated: (rule, detection, { to }, isWhole) => {
      const { version, schedule } = rule;
      if (schedule.lookback_minutes === 0) return;
      const key = keyOf(rule, detection);
      const followed = isWhole ? 0 : (known.get(key)?.followed ?? 0) + 1;
      const { query } = detection.kql.body;
      const window = { to, version, followed, lookback: schedule.lookback_minutes, query };
      keepNewest(known, key, window, MOST_KNOWN);
    },
  };
}
