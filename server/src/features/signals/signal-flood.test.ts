import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { type DetectionApp, detectionApp, detectionDraft } from '../detections/testing/detection-app.ts';
import { MOST_OF_HALF_MINUTE } from './bundle-flood.ts';
import { OccurrenceCollector } from './occurrence.ts';
import { recordOccurrences } from './signal-recorder.ts';

// A rule that matches far too much: its neighbours do not wait for it, and an analyst sees what it found.

const MINUTE = 60_000;
const T0 = Date.UTC(2026, 2, 4, 10);
const BEYOND = 130;
let app: DetectionApp;

beforeAll(async () => {
  app = await detectionApp(T0);
  await app.scheduler.round();
});
afterAll(() => app?.test.close());

const signalsOf = async (ID: string) => {
  const addfilters = [{ filter_key: 'workbook_id', filter_value: ID }];
  const all: contract.OutputOf<typeof contract.listSignals>['data'] = [];
  for (let pageno = 1; all.length === (pageno - 1) * 100; pageno += 1)
    all.push(...(await app.call(contract.listSignals, { addfilters, pageno, pagesize: 100 })).data.data);
  return all;
};

/** Rows of `signal` that the transaction has read one after the other. */
async function rowsScanned(trx: TenantTransaction): Promise<number> {
  const { rows } = await sql<{ read: string }>`select coalesce(sum(seq_tup_read), 0) as read
    from pg_stat_xact_user_tables where relname = 'signal'`.execute(trx);
  return Number(rows[0]?.read);
}

function recordMany(trx: TenantTransaction, from: number, count: number) {
  const { a } = app.company;
  const signal = contract.signalBodySchema.parse({
    name: 'Seen',
    tactic: 'Execution',
    technique: 'T1059',
    confidence: 'High',
    score: 5,
    suspects: [{ type: 'user', field: 'Who' }],
  });
  const key = { clusterId: a.clusterId, scopeId: a.scope, workbookId: 'flood' };
  const rule = { ...key, workbookName: 'Flood', version: 1, stage: 'prod', stream: 'ProcessEvent', signal };
  const collector = new OccurrenceCollector(rule, signal, { from: T0, to: T0 + MINUTE }, 0);
  for (let at = from; at < from + count; at += 1)
    collector.add({ TimeGenerated: new Date(T0).toISOString(), Who: `user${at}` });
  return recordOccurrences(trx, rule, collector.occurrences(), T0 + MINUTE);
}

describe('a flood of findings', () => {
  it('[S4-11] is written without reading the table of signals again for each of them', async () => {
    const { postgres } = app.test.platform;
    const { clusterId } = app.company.a;
    await postgres.inTenant(clusterId, (trx) => recordMany(trx, 0, 1));
    await sql`analyze signal`.execute(postgres.platform);
    await postgres.inTenant(clusterId, async (trx) => {
      await recordMany(trx, 1, 6);
      const before = await rowsScanned(trx);
      await recordMany(trx, 10, 3000);
      // All rows before for each of them would be millions.
      expect((await rowsScanned(trx)) - before).toBeLessThan(100_000);
    });
  });

  it('[S4-11] is raised up to a number each half minute, and the rest as one signal that leads to its events', async () => {
    const ID = (await app.call(contract.addWorkbook, { properties: detectionDraft('ProcessEvent') })).data.ID;
    app.test.platform.clock.set(T0 + MINUTE);
    await app.scheduler.round();
    const users = Array.from({ length: MOST_OF_HALF_MINUTE + BEYOND }, (_, at) => `user${at}`);
    const time = T0 + 1.2 * MINUTE;
    await app.store(
      users.map((ActorUsername, at) => ({ time: time + at, columns: { ActorUsername, DvcHostname: 'pc' } })),
    );
    await app.store([{ time: time + 10 * 1000, columns: { ActorUsername: 'last', DvcHostname: 'pc' } }]);
    app.test.platform.clock.set(T0 + 3 * MINUTE);
    await app.scheduler.round();
    const signals = await signalsOf(ID);
    expect(signals).toHaveLength(MOST_OF_HALF_MINUTE + 1);
    const [rest] = signals.filter(({ name }) => name === 'Tool use: further findings');
    expect(rest).toMatchObject({ occurrences: BEYOND + 1, first_time: time + MOST_OF_HALF_MINUTE });
    expect(rest?.last_time).toBe(time + 10_000);
    const named = signals.flatMap(({ suspects }) => suspects.map(({ value }) => value));
    expect(named.sort()).toEqual(users.slice(0, MOST_OF_HALF_MINUTE).sort());
    const { data } = await app.call(contract.signalEventsQuery, { signal_id: rest?.signal_id }, 'analyst');
    expect(data).toMatchObject({ matched_by: 'events', total_count: BEYOND + 1 });
    const [health] = (await app.call(contract.ruleHealth, { IDs: [ID] })).data;
    expect(health).toMatchObject({ failures_in_a_row: 0 });
  });
});
