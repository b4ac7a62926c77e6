import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  countStatements,
  databaseWork,
  ruleWaits,
} from '../server/src/features/detections/testing/watch-queue.ts';
import { createAuditService } from '../server/src/features/identity/audit/audit-service.ts';
import { addFleetPeople, growFleet } from '../server/src/features/identity/users/testing/seed-fleet.ts';
import { ingestFeature } from '../server/src/features/ingest/ingest-feature.ts';
import { runShippedSamples } from '../server/src/features/samples/testing/run-shipped-samples.ts';
import { ANY_PORTS, readConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import type { Platform } from '../server/src/platform/platform.ts';
import { startServer } from '../server/src/start-server.ts';
import { ranked } from './made-events.ts';
import { processorSeconds } from './processor-seconds.ts';

// What all detections cost that come with Tyrian, on for every tenant of a provider: first while nothing comes in, then
// while every tenant receives events. Statements, commits, log written ahead, processor time of server, PostgreSQL and
// ClickHouse, and how long windows wait after their end. The ratio says how much of the load's cost is there without it.
//
// Run: node --import tsx bench/fleet-detections.ts [--tenants 200] [--scopes 2] [--seconds 90] [--rate 5] [--batch 20]
// `--rate` is events a second of each tenant, `--batch` the seconds between two batches of a sender, `--settle` the seconds
// before each of the two measures. `--statements 8` shows that many kinds of the engine's statements that cost most.

const { values } = parseArgs({
  options: {
    tenants: { type: 'string', default: '200' },
    scopes: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '90' },
    rate: { type: 'string', default: '5' },
    batch: { type: 'string', default: '20' },
    settle: { type: 'string', default: '60' },
    statements: { type: 'string', default: '0' },
  },
});
const TENANTS = Number(values.tenants);
const SCOPES = Number(values.scopes);
const SECONDS = Number(values.seconds);
const RATE = Number(values.rate);
const BATCH_SECONDS = Number(values.batch);
const SAMPLE_MS = 5_000;
const SETTLE_MS = Number(values.settle) * 1000;
const STATEMENTS_SHOWN = Number(values.statements);
const MOST_UNDER_WAY = 16;

const statements = countStatements();

/** The statements that PostgreSQL was asked most since then, one a line. */
function askedMost(before: ReadonlyMap<string, number>, seconds: number): readonly string[] {
  const asked = [...statements.byText()].map(([text, n]) => ({ text, n: n - (before.get(text) ?? 0) }));
  return asked
    .sort((a, b) => b.n - a.n)
    .slice(0, STATEMENTS_SHOWN)
    .map(
      ({ text, n }) =>
        `    PostgreSQL, ${(n / seconds).toFixed(2)} a second: ${text.replace(/\s+/g, ' ').slice(0, 160)}`,
    );
}

/** The kinds of statements that cost the engine most in the last seconds, one a line. */
async function engineStatements(platform: Platform, seconds: number): Promise<readonly string[]> {
  if (STATEMENTS_SHOWN === 0) return [];
  const rows = await platform.eventStore.systemRows<{ n: number; cpu: number; took: number; shown: string }>(
    `SELECT count() AS n, sum(ProfileEvents['UserTimeMicroseconds'] + ProfileEvents['SystemTimeMicroseconds']) / 1000 AS cpu,
      avg(query_duration_ms) AS took, substring(any(text), 1, 300) AS shown
    FROM (SELECT *, replaceRegexpAll(query, '\\\\s+|tenant_\\\\w+|scope\\\\w+', ' ') AS text FROM system.query_log
      WHERE type != 'QueryStart' AND event_time > now() - {seconds:UInt32})
    GROUP BY normalizedQueryHash(text) ORDER BY cpu DESC LIMIT {most:UInt32}`,
    { seconds, most: STATEMENTS_SHOWN },
  );
  return rows.map(
    ({ n, cpu, took, shown }) =>
      `    ${((60 * n) / seconds).toFixed(0)} a minute, ${(cpu / seconds / 10).toFixed(1)} % of a core, ${(cpu / n).toFixed(1)} ms of it each, took ${took.toFixed(0)} ms: ${shown}`,
  );
}

interface Reading {
  readonly atMs: number;
  readonly statements: number;
  readonly commits: number;
  readonly walBytes: number;
  readonly seconds: ReturnType<typeof processorSeconds>;
}

async function read(platform: Platform): Promise<Reading> {
  const asked = statements.count();
  const work = await databaseWork(platform);
  return { atMs: performance.now(), statements: asked, ...work, seconds: processorSeconds() };
}

interface Measured {
  readonly perSecond: { readonly statements: number; readonly commits: number };
  readonly walPerHour: number;
  readonly cores: Record<string, number>;
  readonly waits: ReadonlyMap<string, readonly number[]>;
  /** What costs most, when it is asked for. */
  readonly engine: readonly string[];
}

/** Whose processor time is told. */
const PARTS = ['node', 'postgres', 'clickhouse'] as const;

async function measure(platform: Platform, seconds: number): Promise<Measured> {
  const before = await read(platform);
  const texts = statements.byText();
  const byRule = new Map<string, number[]>();
  let own = 0;
  // Asking every rule how long it waits costs more than the idle server itself: it does not count.
  const ownSeconds = { node: 0, postgres: 0, clickhouse: 0 };
  for (const end = before.atMs + seconds * 1000; performance.now() < end; ) {
    await sleep(SAMPLE_MS);
    const [asked, spent] = [statements.count(), processorSeconds()];
    for (const { name, waited } of await ruleWaits(platform))
      byRule.set(name, [...(byRule.get(name) ?? []), waited]);
    own += statements.count() - asked;
    const now = processorSeconds();
    for (const name of PARTS) ownSeconds[name] += now[name] - spent[name];
  }
  const after = await read(platform);
  const lasted = (after.atMs - before.atMs) / 1000;
  const rate = (name: 'commits' | 'statements') => (after[name] - before[name] - own) / lasted;
  const cores = Object.fromEntries(
    PARTS.map((name) => [name, (after.seconds[name] - before.seconds[name] - ownSeconds[name]) / lasted]),
  );
  return {
    perSecond: { statements: rate('statements'), commits: rate('commits') },
    walPerHour: ((after.walBytes - before.walBytes) / lasted) * 3600,
    cores,
    waits: byRule,
    engine: [...askedMost(texts, lasted), ...(await engineStatements(platform, seconds))],
  };
}

const total = ({ cores }: Measured): number => Object.values(cores).reduce((sum, each) => sum + each, 0);
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function print(title: string, measured: Measured): void {
  const { perSecond, walPerHour, cores } = measured;
  const all = [...measured.waits.values()].flat();
  const slowest = [...measured.waits]
    .map(([name, list]) => ({ name, p50: ranked(list, 0.5), p95: ranked(list, 0.95) }))
    .sort((a, b) => b.p95 - a.p95)
    .slice(0, 5);
  const lines = [
    title,
    `  statements/s ${perSecond.statements.toFixed(1)} · commits/s ${perSecond.commits.toFixed(1)} · WAL ${(walPerHour / 1e6).toFixed(0)} MB/h`,
    `  of a core: ${Object.entries(cores)
      .map(([name, share]) => `${name} ${percent(share)}`)
      .join(' · ')} · together ${percent(total(measured))}`,
    `  a window waits after its end: p50 ${ranked(all, 0.5).toFixed(1)} s · p95 ${ranked(all, 0.95).toFixed(1)} s · most ${ranked(all, 1).toFixed(1)} s`,
    ...slowest.map(({ name, p50, p95 }) => `    ${name}: p50 ${p50.toFixed(1)} s · p95 ${p95.toFixed(1)} s`),
    ...measured.engine,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Waits until every scope has its rules and all of them have had a window; answers how many rules a scope has. */
async function settled(platform: Platform): Promise<number> {
  for (;;) {
    await sleep(SAMPLE_MS);
    const list = await ruleWaits(platform);
    const rules = new Set(list.map((each) => each.name)).size;
    const isComplete = rules > 0 && list.length >= rules * TENANTS * SCOPES;
    process.stderr.write(
      `${list.length} rules, the longest wait ${ranked(
        list.map((each) => each.waited),
        1,
      ).toFixed(0)} s\n`,
    );
    if (isComplete && list.every((each) => each.waited < 60)) return rules;
  }
}

const line = (n: number): string => {
  const host = `host${n % 40}`;
  const user = `user${n % 90}`;
  switch (n % 5) {
    case 0:
      return `<38>${new Date().toISOString()} ${host} sshd[${n % 30000}]: Accepted password for ${user} from 10.1.${n % 200}.9 port 50022 ssh2`;
    case 1:
      return JSON.stringify({
        EventID: 1,
        Channel: 'Microsoft-Windows-Sysmon/Operational',
        Computer: host,
        User: `LAB\\${user}`,
        Image: 'C:\\Tools\\run.exe',
        CommandLine: `run.exe --job ${n}`,
        ParentImage: 'C:\\Windows\\explorer.exe',
      });
    case 2:
      return JSON.stringify({
        EventID: 3,
        Channel: 'Microsoft-Windows-Sysmon/Operational',
        Computer: host,
        User: `LAB\\${user}`,
        Image: 'C:\\Tools\\run.exe',
        SourceIp: '10.1.2.3',
        DestinationIp: `198.51.100.${n % 250}`,
        DestinationPort: 443,
      });
    case 3:
      return JSON.stringify({
        EventID: 22,
        Channel: 'Microsoft-Windows-Sysmon/Operational',
        Computer: host,
        QueryName: `site${n % 5000}.example`,
        Image: 'C:\\Tools\\run.exe',
      });
    default:
      return JSON.stringify({
        EventID: 4624,
        Channel: 'Security',
        Computer: host,
        TargetUserName: user,
        LogonType: 3,
        IpAddress: `10.1.2.${n % 250}`,
      });
  }
};

/** Sends for every scope in turn, spread evenly over the time between two batches. */
function startSending(platform: Platform): () => Promise<number> {
  const audit = createAuditService({ postgres: platform.postgres, clock: platform.clock, log: platform.log });
  const { ingest } = ingestFeature(platform, { audit });
  const targets = Array.from({ length: TENANTS * SCOPES }, (_, at) => {
    const tenant = Math.floor(at / SCOPES);
    return { clusterId: `fleet${tenant}`, scopeId: `scope${tenant}x${(at % SCOPES) + 1}` };
  });
  const rows = Math.max(1, Math.round((RATE * BATCH_SECONDS) / SCOPES));
  let isStopped = false;
  let sent = 0;
  const underWay = new Set<Promise<unknown>>();
  const work = (async () => {
    const began = performance.now();
    for (let batch = 0; !isStopped; batch += 1) {
      const target = targets[batch % targets.length];
      if (!target) return;
      const dueMs = began + (batch * BATCH_SECONDS * 1000) / targets.length;
      await sleep(Math.max(0, dueMs - performance.now()));
      const lines = Array.from({ length: rows }, (_, at) => line(batch * rows + at)).join('\n');
      // Senders do not wait for each other, but for their own answers.
      const one = ingest
        .ingest({ ...target, sourceId: null, sourceName: 'bench', sourceAddress: '192.0.2.1' }, lines)
        .finally(() => underWay.delete(one));
      underWay.add(one);
      if (underWay.size >= MOST_UNDER_WAY) await Promise.race(underWay);
      sent += rows;
    }
  })();
  return async () => {
    isStopped = true;
    await work;
    await Promise.all(underWay);
    return sent;
  };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tyrian-bench-'));
  chmodSync(folder, 0o711);
  const config = readConfig({
    TYRIAN_DATA: folder,
    ...ANY_PORTS,
  });
  const roles = ['api', 'ingest', 'worker'] as const;
  const server = await startServer({ config, checkout: folder, log: createLog('error'), roles });
  try {
    await addFleetPeople(server.platform);
    await growFleet(server.platform, 0, TENANTS, { scopes: SCOPES, events: 0 });
    const rules = await settled(server.platform);
    // A new installation does this once, and what adding so many rules leaves behind is not the cost of having them.
    await runShippedSamples(server.platform, rules);
    await sleep(SETTLE_MS);
    const idle = await measure(server.platform, SECONDS);
    print(`${TENANTS} tenants × ${SCOPES} scopes, nothing comes in`, idle);
    if (RATE === 0) return;
    const stop = startSending(server.platform);
    await sleep(SETTLE_MS);
    const loaded = await measure(server.platform, SECONDS);
    const sent = await stop();
    print(`the same with ${RATE} events a second of each tenant (${sent} events in all)`, loaded);
    process.stdout.write(
      `idle to loaded, processor time: ratio ${(total(idle) / total(loaded)).toFixed(3)}\n`,
    );
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
