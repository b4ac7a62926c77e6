import { bindDeps } from '../../platform/bind-deps.ts';
import type { IngestService } from '../ingest/ingest-service.ts';
import { buildCompany, type Company } from './demo-company.ts';
import type { DemoLine, DemoSource } from './demo-line.ts';
import { ordinaryEvent } from './demo-noise.ts';
import {
  HISTORY_MS,
  HISTORY_STEPS,
  LIVE_EVENTS_PER_SECOND,
  PAST_SCENARIOS,
  PLANNED_TENANTS,
  SCENARIOS,
} from './demo-plan.ts';
import type { DemoRecord, DemoTenant } from './demo-store.ts';
import { createRandom } from './seeded-random.ts';
import { activityAt, momentIn, slotsOf } from './working-rhythm.ts';

// Writes the events of the demo through the ordinary way in. What is written follows from the seed of the demo, so
// whoever goes on after a crash goes on with the same day.

export interface DemoWriter {
  /** Writes one step of the history; step 0 is the stories, the others the day, newest first. Answers the events. */
  writeStep(demo: DemoRecord, step: number): Promise<number>;
  /** Writes what happened between two instants, the attack scenario that is running included. */
  writeLive(demo: DemoRecord, fromMs: number, toMs: number): Promise<number>;
}

interface ScopeAt {
  readonly tenant: DemoTenant;
  readonly scope: DemoTenant['scopes'][number];
  readonly share: number;
  readonly company: Company;
  /** Keeps the chances of scopes apart. */
  readonly salt: number;
}

/** A part of the day in one scope. */
interface Stretch {
  readonly seed: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly events: number;
  readonly key: string;
}

/** Lines that are made before the server gets its turn again. */
const LINES_AT_ONCE = 2000;

interface DemoWriterParts {
  readonly companies: Map<number, Company>;
  readonly ingest: IngestService;
  readonly historyEvents: number;
}

/** `historyEvents`: events of the past day in all scopes together, stories not counted. */
export function createDemoWriter(ingest: IngestService, historyEvents: number): DemoWriter {
  const companies = new Map<number, Company>();
  const parts: DemoWriterParts = { companies, ingest, historyEvents };
  return bindDeps(parts, { writeStep, writeLive });
}

function companyFor({ companies }: DemoWriterParts, seed: number): Company {
  const known = companies.get(seed) ?? buildCompany(seed);
  companies.set(seed, known);
  return known;
}

function scopesOf(parts: DemoWriterParts, demo: DemoRecord): ScopeAt[] {
  return demo.tenants.flatMap((tenant, t) =>
    tenant.scopes.map((scope, s) => ({
      tenant,
      scope,
      share: PLANNED_TENANTS[t]?.scopes[s]?.share ?? 0,
      company: companyFor(parts, demo.seed + 10 * t + s),
      salt: 100 * t + s,
    })),
  );
}

/** Lines with a key are stored once, however often a step is begun. */
async function send(
  { ingest }: DemoWriterParts,
  at: ScopeAt,
  lines: readonly DemoLine[],
  key?: string,
): Promise<number> {
  const bySource = new Map<DemoSource, string[]>();
  for (const { source, text } of lines) {
    const list = bySource.get(source);
    if (list) list.push(text);
    else bySource.set(source, [text]);
  }
  await Promise.all(
    [...bySource].map(([source, texts]) =>
      ingest.ingest(
        {
          clusterId: at.tenant.clusterId,
          scopeId: at.scope.scopeId,
          sourceId: at.scope.sources[source] ?? null,
          sourceName: source,
          sourceAddress: '127.0.0.1',
        },
        `${texts.join('\n')}\n`,
        key,
      ),
    ),
  );
  return lines.length;
}

async function ordinaryDay(
  parts: DemoWriterParts,
  at: ScopeAt,
  { seed, fromMs, toMs, events, key }: Stretch,
) {
  const world = { company: at.company, random: createRandom(seed) };
  const lines: DemoLine[] = [];
  for (const slot of slotsOf(fromMs, toMs, events)) {
    for (let n = 0; n < slot.events; n += 1) {
      lines.push(ordinaryEvent(world, momentIn(slot, world.random)));
      if (lines.length % LINES_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return send(parts, at, lines, key);
}

async function pastScenarios(parts: DemoWriterParts, demo: DemoRecord): Promise<number> {
  let events = 0;
  for (const [index, { scenario, tenant, scope, minutesAgo }] of PAST_SCENARIOS.entries()) {
    const at = scopesOf(parts, demo).find(({ salt }) => salt === 100 * tenant + scope);
    if (!at) continue;
    const world = { company: at.company, random: createRandom(demo.seed + 7000 + index) };
    const lines = scenario.tell(world, demo.createdMs - minutesAgo * 60_000);
    events += await send(parts, at, lines, `demo story ${index}`);
  }
  return events;
}

async function writeStep(parts: DemoWriterParts, demo: DemoRecord, step: number): Promise<number> {
  if (step === 0) return pastScenarios(parts, demo);
  const pieceMs = HISTORY_MS / HISTORY_STEPS;
  const toMs = demo.createdMs - (step - 1) * pieceMs;
  const events = eventsOfStep(parts.historyEvents, demo.createdMs, step);
  const written = await Promise.all(
    scopesOf(parts, demo).map((at) =>
      ordinaryDay(parts, at, {
        seed: demo.seed + 31 * step + at.salt,
        fromMs: toMs - pieceMs,
        toMs,
        events: Math.round(events * at.share),
        key: `demo step ${step}`,
      }),
    ),
  );
  return written.reduce((sum, count) => sum + count, 0);
}

async function writeLive(
  parts: DemoWriterParts,
  demo: DemoRecord,
  fromMs: number,
  toMs: number,
): Promise<number> {
  const events = ((LIVE_EVENTS_PER_SECOND * (toMs - fromMs)) / 1000) * activityAt(toMs);
  let written = 0;
  for (const at of scopesOf(parts, demo)) {
    const random = createRandom(demo.seed + at.salt + Math.floor(fromMs / 1000));
    // A scope with less than one event gets one now and then.
    const exact = events * at.share;
    const count = Math.floor(exact) + (random.chance(exact % 1) ? 1 : 0);
    const world = { company: at.company, random };
    const lines = Array.from({ length: count }, () =>
      ordinaryEvent(world, momentIn({ fromMs, toMs }, random)),
    );
    lines.push(...scenarioLines(demo, at, fromMs, toMs));
    if (lines.length > 0) written += await send(parts, at, lines);
  }
  return written;
}

/** Events of all scopes in a step of the history, by the activity of its half hour. */
function eventsOfStep(historyEvents: number, createdMs: number, step: number): number {
  const slots = slotsOf(createdMs - HISTORY_MS, createdMs, historyEvents);
  const perStep = slots.length / HISTORY_STEPS;
  const end = slots.length - (step - 1) * perStep;
  return slots.slice(end - perStep, end).reduce((sum, slot) => sum + slot.events, 0);
}

/** What the live scenario leaves behind between two instants, in the scope where it happens. */
function scenarioLines(demo: DemoRecord, at: ScopeAt, fromMs: number, toMs: number): DemoLine[] {
  // Most scenarios happen at headquarters, every fourth elsewhere.
  const elsewhere = [100, 1, 200][Math.floor(demo.scenario / 4) % 3] ?? 0;
  const home = demo.scenario % 4 === 3 ? elsewhere : 0;
  const scenario = SCENARIOS[demo.scenario % SCENARIOS.length];
  if (at.salt !== home || !scenario) return [];
  const world = { company: at.company, random: createRandom(demo.seed + 9000 + demo.scenario) };
  const told = scenario.tell(world, demo.scenarioMs);
  return told.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs);
}
