import type { ComponentItem, ComponentMinuteItem } from '@tyrian/contract';
import type { ComponentMinute } from '../../platform/components/component-minutes.ts';

// What the page shows of a component's samples: figures as they are, rates as the difference between two. Pure.

export type Metrics = ComponentItem['metrics'];

export const NO_METRICS: Metrics = {
  ...{ cpu_pct: null, mem_pct: null, mem_bytes: null },
  ...{ disk_pct: null, disk_used_bytes: null, disk_free_bytes: null },
  ...{ eps_in: null, eps_out: null, queue: null, queue_bytes: null, dropped: null },
};

const HOUR_MS = 3_600_000;

type Counted = Pick<ComponentMinute, 'counters' | 'takenMs'>;

/** By how much a count went on; null when it began anew between the two, or when either lacks it. */
function grown(before: Counted | undefined, now: Counted, name: string): number | null {
  const from = before?.counters[name];
  const to = now.counters[name];
  if (from === undefined || to === undefined || to < from) return null;
  return to - from;
}

/** Of a count a second, to a tenth. */
function perSecond(before: Counted | undefined, now: Counted, name: string): number | null {
  const by = grown(before, now, name);
  const seconds = before === undefined ? 0 : (now.takenMs - before.takenMs) / 1000;
  return by === null || seconds <= 0 ? null : Math.round((by / seconds) * 10) / 10;
}

/** Of all cores, since the sample before; of a role as it says itself. */
function processorOf(before: ComponentMinute | undefined, now: ComponentMinute): number | null {
  const own = now.figures.cpu_pct;
  if (own !== undefined) return own;
  const used = grown(before, now, 'cpu_ms');
  const passed = before === undefined ? 0 : now.takenMs - before.takenMs;
  const cores = now.figures.cores ?? null;
  if (used === null || passed <= 0 || cores === null) return null;
  return Math.min(100, Math.round((used / passed / cores) * 100));
}

/** What was dropped within the hour of the samples: all of it where the component began in it, `startedMs`. */
export function droppedWithin(samples: readonly ComponentMinute[], startedMs: number | null): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  const total = last?.counters.dropped;
  if (first === undefined || last === undefined || total === undefined) return null;
  const beganInIt = startedMs !== null && startedMs > last.takenMs - HOUR_MS;
  return beganInIt ? total : (grown(first, last, 'dropped') ?? total);
}

/** What an engine is now, from the first of the hour's samples and the last two. */
export function metricsOfEngine(samples: readonly ComponentMinute[], startedMs: number | null): Metrics {
  const now = samples.at(-1);
  if (now === undefined) return NO_METRICS;
  const before = samples.at(-2);
  const { figures } = now;
  const figure = (name: string): number | null => figures[name] ?? null;
  return {
    cpu_pct: processorOf(before, now),
    mem_pct: figure('mem_pct'),
    mem_bytes: figure('mem_bytes'),
    disk_pct: figure('disk_pct'),
    disk_used_bytes: figure('disk_used_bytes'),
    disk_free_bytes: figure('disk_free_bytes'),
    eps_in: perSecond(before, now, 'in'),
    eps_out: perSecond(before, now, 'out'),
    queue: figure('queue'),
    queue_bytes: figure('queue_bytes'),
    dropped: droppedWithin(samples, startedMs),
  };
}

/** The minutes of a component as the page draws them, oldest first. */
export function minuteItems(samples: readonly ComponentMinute[]): ComponentMinuteItem[] {
  return samples.map((now, at) => {
    const before = samples[at - 1];
    return {
      time: now.minuteMs,
      cpu_pct: processorOf(before, now),
      mem_bytes: now.figures.mem_bytes ?? null,
      eps_in: perSecond(before, now, 'in'),
      eps_out: perSecond(before, now, 'out'),
      queue: now.figures.queue ?? null,
      dropped: grown(before, now, 'dropped'),
    };
  });
}
