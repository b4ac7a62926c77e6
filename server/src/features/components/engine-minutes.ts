import { forgetMinutes, writeMinute } from '../../platform/components/component-minutes.ts';
import { fewAtATime } from '../../platform/few-at-a-time.ts';
import type { Platform } from '../../platform/platform.ts';
import { NODE_START, OWN_START, type OwnEngine } from './component-survey.ts';
import { sampleClickhouse, samplePostgres } from './engine-samples.ts';

// How engines are, kept by minute: those of the platform, and those that tenants have of their own, which are few.

type Parts = Pick<Platform, 'clock' | 'eventStore' | 'postgres'>;

const AT_ONCE = 4;
/** Of an engine that did not answer. */
const SILENCE = { figures: { silent: 1 }, counters: {} } as const;

async function writeClickhouse({ clock, eventStore, postgres }: Parts, clusterId: string | null) {
  const asked = await sampleClickhouse(eventStore, clusterId);
  // The only engine keeps its name wherever it listens; the embedded one does so elsewhere after each start.
  const isOnly = asked.answered.length + asked.silent.length === 1;
  const idOf = (node: string) => {
    if (clusterId !== null) return `${OWN_START}${clusterId}`;
    return isOnly ? 'clickhouse' : `${NODE_START}${node}`;
  };
  const takenMs = clock.now();
  const db = postgres.platform;
  for (const { node, sample } of asked.answered) await writeMinute(db, idOf(node), takenMs, sample);
  for (const node of asked.silent) await writeMinute(db, idOf(node), takenMs, SILENCE);
  return asked.answered.length + asked.silent.length;
}

/** Samples every engine and removes what is too old; answers how many engines there are. */
export async function writeEngineMinutes(
  parts: Parts,
  own: readonly OwnEngine[],
  signal?: AbortSignal,
): Promise<number> {
  const { clock, postgres } = parts;
  const db = postgres.platform;
  await writeMinute(db, 'postgres', clock.now(), await samplePostgres(postgres));
  let engines = 1 + (await writeClickhouse(parts, null));
  await fewAtATime(own, AT_ONCE, async ({ clusterId }) => {
    signal?.throwIfAborted();
    engines += await writeClickhouse(parts, clusterId).catch(() => 0);
  });
  await forgetMinutes(db, clock.now());
  return engines;
}
