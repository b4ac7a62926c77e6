import { setTimeout as pause } from 'node:timers/promises';
import type { BackgroundWork } from '../../platform/feature.ts';
import { newId } from '../../platform/new-id.ts';
import { CONNECTOR_CHANNEL } from './connector-store.ts';
import { claimDue, dropLeases, type Renewed, renewLeases } from './lease-store.ts';
import { runConnector, type TurnDeps } from './run-connector.ts';

// The connectors of a process: it takes up what is due, renews its leases, and ends turns of connectors that were stopped,
// changed or deleted. Any number of processes do this beside each other.

/** Connectors that one process works on at a time. */
const AT_ONCE = 16;
/** Leases are renewed, and what is wanted is looked at, so often while there is work. */
const RENEW_MS = 2_000;
/** How long nothing is asked while nothing is heard. */
const IDLE_MS = 2_000;
/** A turn that is asked to end has so long before the process goes on without it. */
const PATIENCE_MS = 1_500;

interface Turn {
  readonly revision: number;
  readonly isWanted: boolean;
  readonly validation: Renewed['validation'];
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

export interface ConnectorRunner extends BackgroundWork {
  /** Takes up what is due and waits until it has ended; answers how many turns there were. For tests. */
  runDue(): Promise<number>;
}

export function createConnectorRunner(deps: TurnDeps): ConnectorRunner {
  const owner = newId();
  const turns = new Map<string, Turn>();
  let bell = new AbortController();
  let isStopping = false;
  let loop: Promise<unknown> = Promise.resolve();
  let unlisten: (() => Promise<void>) | null = null;

  const claim = async (): Promise<readonly Promise<void>[]> => {
    const most = AT_ONCE - turns.size;
    if (most <= 0) return [];
    const claimed = await claimDue(deps.postgres, { owner, most, nowMs: deps.clock.now() });
    return claimed.map((one) => {
      const name = nameOf(one);
      const stop = new AbortController();
      const done = runConnector(deps, one, owner, stop.signal).finally(() => {
        turns.delete(name);
        bell.abort();
      });
      const { revision, is_wanted: isWanted, validation } = one;
      turns.set(name, { revision, isWanted, validation, stop, done });
      return done;
    });
  };

  const renew = async (): Promise<void> => {
    if (turns.size === 0) return;
    const before = new Map(turns);
    const renewed = new Map(
      (await renewLeases(deps.postgres, owner, deps.clock.now())).map((one) => [nameOf(one), one]),
    );
    for (const [name, turn] of before) if (!goesOn(turn, renewed.get(name))) turn.stop.abort();
  };

  const rest = (ms: number): Promise<unknown> => {
    const { signal } = bell;
    return pause(ms, undefined, { signal, ref: false }).catch(() => {
      bell = new AbortController();
    });
  };

  const run = async (): Promise<void> => {
    while (!isStopping) {
      try {
        await renew();
        await claim();
      } catch (error) {
        deps.log.warn({ err: String(error) }, 'connectors could not be looked at');
      }
      if (!isStopping) await rest(turns.size > 0 ? RENEW_MS : IDLE_MS);
    }
  };

  return {
    name: 'connectors',
    runDue: async () => {
      const started = await claim();
      await Promise.all(started);
      return started.length;
    },
    start: async () => {
      unlisten = await deps.postgres.listen(CONNECTOR_CHANNEL, () => bell.abort());
      loop = run();
    },
    stop: async () => {
      isStopping = true;
      bell.abort();
      const running = [...turns.values()];
      for (const turn of running) turn.stop.abort();
      await Promise.race([
        Promise.all([loop, ...running.map(({ done }) => done)]),
        pause(PATIENCE_MS, undefined, { ref: false }),
      ]);
      await unlisten?.();
      await dropLeases(deps.postgres, owner).catch((error: Error) =>
        deps.log.warn({ err: error.message }, 'leases of connectors were not given back'),
      );
    },
  };
}

const nameOf = ({ cluster_id, connector_id }: Pick<Renewed, 'cluster_id' | 'connector_id'>): string =>
  `${cluster_id} ${connector_id}`;

/** Whether a turn is still what is wanted; undefined when the lease is lost. */
function goesOn(turn: Turn, now: Renewed | undefined): boolean {
  if (now === undefined || now.revision !== turn.revision) return false;
  const isAskedAnew = now.validation === 'pending' && turn.validation !== 'pending';
  return !isAskedAnew && (now.is_wanted || !turn.isWanted);
}
