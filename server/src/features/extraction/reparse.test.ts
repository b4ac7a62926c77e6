import {
  beginReparse,
  cancelReparse,
  estimateReparse,
  listReparses,
  publishExtractor,
  type Reparse,
  resumeReparse,
  saveExtractor,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mendFigures } from '../../platform/clickhouse/mend-figures.ts';
import type { Job } from '../../platform/jobs/job.ts';
import { type SenderSetup, senderSetup } from '../ingest/testing/sender-setup.ts';
import { doorLine, doorYaml } from './testing/door-extractor.ts';

// Stored events are read again: each is there once, whatever ends the work midway, and figures count what is there.

const EVENTS = 300;
let setup: SenderSetup;
let ssid: string;

beforeAll(async () => {
  setup = await senderSetup();
  ssid = await setup.company.signIn('engineer');
  const lines = Array.from({ length: EVENTS }, (_, at) => doorLine(at));
  const sent = await setup.post('/ingest/ndjson?source=doors', lines.join('\n'));
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  // What others send is not touched.
  await setup.post('/ingest/ndjson?source=other', 'nothing that anybody knows\nDOOR|gate-9|eve|opened');
});
afterAll(() => setup?.close());

const scope = () => ({ scope_id: setup.company.a.scope });
const params = () => ({ clusterId: setup.company.a.clusterId });
const range = () => {
  const now = setup.test.platform.clock.now();
  return { start: now - 3_600_000, end: now + 60_000 };
};
const wanted = () => ({ ...scope(), ...range(), source: 'doors' });
const ask = <E extends Parameters<typeof setup.test.call>[0]>(endpoint: E, input: object) =>
  setup.test.call(endpoint, { ssid, params: params(), input: { ...scope(), ...input } });

async function publish(yaml: string, id?: number): Promise<number> {
  const before = id === undefined ? {} : { extractor_id: id, revision: await revisionOf(id) };
  const saved = await ask(saveExtractor, { ...before, yaml, samples: [doorLine(1), doorLine(2)] });
  expect(saved.http, saved.text).toBe(200);
  const { extractor_id, revision } = saved.data;
  const published = await ask(publishExtractor, { extractor_id, revision, comment: 'for the doors' });
  expect(published.http, published.text).toBe(200);
  return extractor_id;
}

async function revisionOf(id: number): Promise<number> {
  const { clusterId } = setup.company.a;
  const { rows } = await setup.test.platform.postgres.inTenant(clusterId, (trx) =>
    sql<{ revision: number }>`select revision from extractor where extractor_id = ${id}`.execute(trx),
  );
  return rows[0]?.revision ?? 0;
}

async function begin(more: object = {}): Promise<string> {
  const begun = await ask(beginReparse, { ...wanted(), ...more });
  expect(begun.http, begun.text).toBe(200);
  return begun.data.reparse_id;
}

/** Runs the job, as a worker would. */
function work(reparseId: string, signal = new AbortController().signal, progress = async () => undefined) {
  const job = setup.test.composed.jobs.find(({ kind }) => kind === 'reparse');
  const { clusterId, scope: scopeId } = setup.company.a;
  return (job as Job<{ scopeId: string; reparseId: string }>).run(
    { scopeId, reparseId },
    { clusterId, signal, progress },
  );
}

async function read(id: string): Promise<Reparse | undefined> {
  const { data } = await ask(listReparses, {});
  return data.data.find((one) => one.reparse_id === id);
}

const OF_DOORS = "SourceName = 'doors'";

/** Each event once, and figures that count exactly what is there. */
async function expectWhole(): Promise<void> {
  const [row] = await setup.rows(`SELECT count(), uniqExact(EventUid) FROM events WHERE ${OF_DOORS}`);
  expect(row?.map(Number)).toEqual([EVENTS, EVENTS]);
  const counted = (from: string) => setup.rows(from);
  const grouped = 'SELECT Stream, ParseStatus, toInt64(count()), toInt64(sum(length(Raw))) FROM events';
  const told = 'SELECT Stream, ParseStatus, sum(Events) AS N, sum(RawBytes) FROM event_figures';
  const order = 'GROUP BY Stream, ParseStatus HAVING N > 0 ORDER BY Stream, ParseStatus';
  expect(await counted(`${told} ${order}`)).toEqual(
    await counted(`${grouped.replace('toInt64(count())', 'toInt64(count()) AS N')} ${order}`),
  );
  const hosts = 'GROUP BY Stream, DvcHostname HAVING N > 0 ORDER BY Stream, DvcHostname';
  expect(await counted(`SELECT Stream, DvcHostname, sum(Events) AS N FROM host_figures ${hosts}`)).toEqual(
    await counted(
      `SELECT Stream, DvcHostname, toInt64(count()) AS N FROM events WHERE DvcHostname != '' ${hosts}`,
    ),
  );
  const { eventStore } = setup.test.platform;
  const { clusterId } = setup.company.a;
  expect(await mendFigures(eventStore, clusterId, Date.now())).toEqual([]);
  const left = await eventStore.rows(clusterId, {
    sql: "SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, 'reread_')",
    scopes: 'all',
  });
  expect(left.rows).toEqual([]);
  expect(Number((await setup.rows(`SELECT count() FROM event_figures WHERE Scope = ''`))[0]?.[0])).toBe(0);
}

const parsed = (where = '1') => setup.count(`${OF_DOORS} AND ParseStatus = 'PAD' AND ${where}`);

describe('reading stored events again', () => {
  let id: number;

  it('[T-REPARSE] says how many events it reads, and puts what is understood in their place, each once', async () => {
    expect(await parsed()).toBe(0);
    const before = await setup.rows(
      `SELECT EventUid, IngestedTime, SourceAddress, Raw FROM events WHERE ${OF_DOORS} ORDER BY EventUid`,
    );
    const estimate = await ask(estimateReparse, wanted());
    expect(estimate.data).toMatchObject({ events: EVENTS });
    id = await publish(doorYaml());
    const run = await begin();
    await work(run);
    expect(await read(run)).toMatchObject({
      ...{ state: 'done', total: EVENTS, done: EVENTS, changed: EVENTS, unparsed: 0, error: null },
    });
    expect(await parsed("Stream = 'Authentication' AND TargetUsername = 'user7'")).toBe(1);
    expect(await parsed("EventResult = 'Success' AND EventVendor = 'Acme'")).toBe(EVENTS / 2);
    expect(
      await setup.rows(
        `SELECT EventUid, IngestedTime, SourceAddress, Raw FROM events WHERE ${OF_DOORS} ORDER BY EventUid`,
      ),
    ).toEqual(before);
    // The other source is as it was.
    expect(await setup.count("SourceName = 'other' AND ParseStatus = 'NLF'")).toBe(2);
    await expectWhole();
    // Nothing is left to be read.
    expect((await ask(beginReparse, wanted())).http).toBe(409);
  });

  it('[T-REPARSE] whatever ends the work, at any step, no event is lost or doubled once it has gone on', async () => {
    // The table made; new ones put in; old ones taken from either figures; old ones deleted; all but the table tidied.
    const afterStatement = {
      ActorUsername: 2,
      TargetUserId: 3,
      ActorUserId: 4,
      Object: 5,
      Operation: 6,
      Url: 8,
    };
    for (const [column, last] of Object.entries(afterStatement)) {
      await publish(doorYaml(column), id);
      const run = await begin({ which: 'all' });
      const { eventStore } = setup.test.platform;
      const { command } = eventStore;
      let calls = 0;
      // The process dies right after its n-th statement: what the statement did is done, and nobody has written it down.
      eventStore.command = async (...statement) => {
        await command(...statement);
        calls += 1;
        if (calls === last) throw new Error('killed');
      };
      try {
        await expect(work(run)).rejects.toThrow('killed');
      } finally {
        eventStore.command = command;
      }
      await work(run);
      expect(await read(run), column).toMatchObject({ state: 'done', done: EVENTS, changed: EVENTS });
      expect(await parsed(`${column} != ''`), column).toBe(EVENTS);
      await expectWhole();
    }
  });

  it('[T-REPARSE] a run is stopped, leaves nothing half done, and goes on later', async () => {
    await publish(doorYaml('TargetDomain'), id);
    const run = await begin({ which: 'all' });
    const stop = new AbortController();
    await work(run, stop.signal, async () => {
      if (stop.signal.aborted) return;
      await ask(cancelReparse, { reparse_id: run });
      stop.abort('canceled');
    });
    expect(await read(run)).toMatchObject({ state: 'canceled', can_resume: true });
    await expectWhole();
    expect((await ask(cancelReparse, { reparse_id: run })).http).toBe(409);
    expect((await ask(resumeReparse, { reparse_id: run })).http).toBe(200);
    await work(run);
    expect(await read(run)).toMatchObject({ state: 'done', done: EVENTS });
    expect(await parsed("TargetDomain != ''")).toBe(EVENTS);
    await expectWhole();
    const { rows } = await sql<{ action: string }>`select distinct action from audit_entry
      where entity = ${run} order by action`.execute(setup.test.platform.postgres.platform);
    expect(rows.map(({ action }) => action)).toEqual(
      ['', '.cancel', '.end', '.read', '.resume'].map((name) => `extractor.reparse${name}`),
    );
  });

  it('[T-REPARSE] a run of another scope or tenant does not exist, and only engineers begin one', async () => {
    const run = (await ask(listReparses, {})).data.data[0]?.reparse_id ?? '';
    const { a, b } = setup.company;
    const call = { ssid, params: params() };
    const elsewhere = { scope_id: a.otherScope, reparse_id: run };
    expect((await setup.test.call(resumeReparse, { ...call, input: elsewhere })).http).toBe(404);
    const ofB = await setup.company.signIn('engineerOfB');
    const inB = { ssid: ofB, params: { clusterId: b.clusterId } };
    const foreign = { scope_id: b.scope, reparse_id: run };
    expect((await setup.test.call(resumeReparse, { ...inB, input: foreign })).http).toBe(404);
    const analyst = await setup.company.signIn('analyst');
    const asAnalyst = { ssid: analyst, params: params(), input: wanted() };
    expect((await setup.test.call(beginReparse, asAnalyst)).http).toBe(403);
  });
});
