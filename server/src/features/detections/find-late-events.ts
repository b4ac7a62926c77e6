import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { finishedWindows } from './ledger-store.ts';
import { lockRule, type RuleKey, saveRule } from './rule-store.ts';
import { stepScheduler, type Window } from './scheduler-machine.ts';
import { streamActivity } from './stream-activity.ts';

// An insert that commits later than the watermark allows puts events into windows that are finished. So windows are
// counted again for a day: one that holds more events than when it was evaluated runs once more. What makes
// signals identical makes the repeat harmless.

export interface LateEventsDeps {
  readonly postgres: Postgres;
  readonly events: EventStore;
  /** The streams that a rule reads; null when it cannot be told. */
  readonly streamsOf: (key: RuleKey) => Promise<readonly string[] | null>;
}

const idOf = (key: RuleKey) => `${key.scopeId}\0${key.workbookId}`;

/** Marks finished windows of `range` that have grown; resolves with how many. */
export async function findLateEvents(
  deps: LateEventsDeps,
  clusterId: string,
  range: Window,
): Promise<number> {
  const windows = await deps.postgres.inTenant(clusterId, (trx) => finishedWindows(trx, clusterId, range));
  if (windows.length === 0) return 0;
  const activity = streamActivity(deps.events, clusterId);
  const streams = new Map<string, readonly string[] | null>();
  const grown = new Map<string, { key: RuleKey; windows: Window[] }>();
  for (const window of windows) {
    const id = idOf(window);
    if (!streams.has(id)) streams.set(id, await deps.streamsOf(window));
    const read = streams.get(id);
    if (!read || (await activity.count(window.scopeId, read, window)) <= window.eventsSeen) continue;
    const known = grown.get(id) ?? { key: window, windows: [] };
    known.windows.push({ from: window.from, to: window.to });
    grown.set(id, known);
  }
  for (const { key, windows: late } of grown.values()) {
    await deps.postgres.inTenant(clusterId, async (trx) => {
      const stored = await lockRule(trx, key);
      if (!stored) return;
      await saveRule(trx, key, {
        state: stepScheduler(stored.state, { kind: 'late-events', windows: late }).state,
      });
    });
  }
  return [...grown.values()].reduce((sum, each) => sum + each.windows.length, 0);
}
