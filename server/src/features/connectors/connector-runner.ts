import { setTimeout as pause } from 'node:timers/promises';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { BackgroundWork } from '../../platform/feature.ts';
import { newId } from '../../platform/new-id.ts';
import { CONNECTOR_CHANNEL } from './connector-store.ts';
import { type Claimed, claimDue, dropLeases, type Renewed, renewLeases } from './lease-store.ts';
import { runConnector, type TurnDeps } from './run-connector.ts';

// The connectors of a process: it takes up what is due, renews its leases, and ends turns of connectors that were stopped,
// changed or deleted. Any number of processes do this beside each other.

/** Connectors that one process works on at a time, of those with short turns and of those that hold a connection. */
const AT_ONCE = 16;
/** So often what is due is looked for and leases are renewed, while nothing is heard. */
const LOOK_MS = 2_000;
/** A turn that is asked to end has so long before the process goes on without it. */
const PATIENCE_MS = 1_500;

interface Turn {
  readonly revision: number;
  readonly isWanted: boolean;
  readonly validation: Renewed['validation'];
  readonly isLong: boolean;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

export interface ConnectorRunner extends BackgroundWork {
  /** Takes up what is due and waits until it has ended; answers how many turns there were. For tests. */
  runDue(): Promise<number>;
}

interface Parts extends TurnDeps {
  readonly owner: string;
  readonly turns: Map<string, Turn>;
  bell: AbortController;
  isStopping: boolean;
  loop: Promise<unknown>;
  unlisten: (() => Promise<void>) | null;
}

export function createConnectorRunner(deps: TurnDeps): ConnectorRunner {
  const parts: Parts = {
    ...deps,
    owner: newId(),
    turns: new Map(),
    bell: new AbortController(),
    isStopping: false,
    loop: Promise.resolve(),
    unlisten: null,
  };
  return { name: 'connectors', ...bindDeps(parts, { runDue, start, stop }) };
}

/** Takes up what is due; answers the ends of the turns. */
async function claim(parts: Parts): Promise<readonly Promise<void>[]> {
  const { turns, owner } = parts;
  const ends: Promise<void>[] = [];
  for (const isLong of [false, true]) {
    const most = AT_ONCE - [...turns.values()].filter((one) => one.isLong === isLong).length;
    if (most <= 0) continue;
    const claimed = await claimDue(parts.postgres, { owner, most, isLong, nowMs: parts.clock.now() });
    ends.push(...claimed.map((one) => begin(parts, one)));
  }
  return ends;
}

function begin(parts: Parts, claimed: Claimed): Promise<void> {
  const { turns } = parts;
  const name = nameOf(claimed);
  const stop = new AbortController();
  const done = runConnector(parts, claimed, parts.owner, stop.signal).finally(() => {
    turns.delete(name);
    parts.bell.abort();
  });
  const { revision, is_wanted: isWanted, validation, engine } = claimed;
  turns.set(name, { revision, isWanted, validation, isLong: engine === 'kafka', stop, done });
  return done;
}

async function renew({ postgres, clock, owner, turns }: Parts): Promise<void> {
  if (turns.size === 0) return;
  const before = new Map(turns);
  const renewed = await renewLeases(postgres, owner, clock.now());
  const now = new Map(renewed.map((one) => [nameOf(one), one]));
  for (const [name, turn] of before) if (!goesOn(turn, now.get(name))) turn.stop.abort();
}

function rest(parts: Parts, ms: number): Promise<unknown> {
  return pause(ms, undefined, { signal: parts.bell.signal, ref: false }).catch(() => {
    parts.bell = new AbortController();
  });
}

async function run(parts: Parts): Promise<void> {
  while (!parts.isStopping) {
    try {
      await renew(parts);
      await claim(parts);
    } catch (error) {
      parts.log.warn({ err: String(error) }, 'connectors could not be looked at');
    }
    if (!parts.isStopping) await rest(parts, LOOK_MS);
  }
}

async function runDue(parts: Parts): Promise<number> {
  const ends = await claim(parts);
  await Promise.all(ends);
  return ends.length;
}

async function start(parts: Parts): Promise<void> {
  parts.unlisten = await parts.postgres.listen(CONNECTOR_CHANNEL, () => parts.bell.abort());
  parts.loop = run(parts);
}

async function stop(parts: Parts): Promise<void> {
  const { postgres, log, owner } = parts;
  parts.isStopping = true;
  parts.bell.abort();
  const running = [...parts.turns.values()];
  for (const turn of running) turn.stop.abort();
  const ends = Promise.all([parts.loop, ...running.map(({ done }) => done)]);
  await Promise.race([ends, pause(PATIENCE_MS, undefined, { ref: false })]);
  await parts.unlisten?.();
  await dropLeases(postgres, owner).catch((error: Error) =>
    log.warn({ err: error.message }, 'leases of connectors were not given back'),
  );
}

const nameOf = ({ cluster_id, connector_id }: Pick<Renewed, 'cluster_id' | 'connector_id'>): string =>
  `${cluster_id} ${connector_id}`;

/** Whether a turn is still what is wanted; undefined when the lease is lost. */
function goesOn(turn: Turn, now: Renewed | undefined): boolean {
  if (now === undefined || now.revision !== turn.revision) return false;
  const isAskedAnew = now.validation === 'pending' && turn.validation !== 'pending';
  return !isAskedAnew && (now.is_wanted || !turn.isWanted);
}
