import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { type Company, type SeedRole, seedCompany } from '../identity/users/testing/seed-company.ts';
import { seedSignals } from './testing/seed-signals.ts';

// Cases as their callers meet them, on the real engines.

let test: TestApp;
let company: Company;
const t0 = Date.UTC(2026, 2, 4, 10);
const ssids = new Map<SeedRole, string>();

const user = (value: string) => ({ type: 'user', value });
const host = (value: string) => ({ type: 'host', value });

beforeAll(async () => {
  test = await testApp({ nowMs: t0 });
  company = await seedCompany(test.platform);
  for (const role of ['analyst', 'engineer', 'viewer', 'engineerOfB', 'tenantAdmin'] as const) {
    ssids.set(role, await company.signIn(role));
  }
  const { a, b } = company;
  const main = { clusterId: a.clusterId, scopeId: a.scope };
  await seedSignals(test.platform.postgres, main, [
    { id: 's1', score: 7, firstMs: t0 - 600_000, suspects: [user('eve')], targets: [host('dc1')] },
    {
      id: 's2',
      score: 4,
      firstMs: t0 - 60_000,
      suspects: [host('dc1')],
      targets: [host('ws9')],
      tactic: 'Lateral Movement',
      technique: 'T1021',
    },
    { id: 's3', score: 7, firstMs: t0 - 3_600_000, suspects: [user('eve')], targets: [host('dc1')] },
    { id: 's4', score: 7, firstMs: t0 - 30 * 3_600_000, suspects: [user('eve')], targets: [host('dc1')] },
    { id: 's6', firstMs: t0 - 1000, suspects: [user('zoe')], targets: [host('ws3')] },
    { id: 's7', firstMs: t0 - 1000, suspects: [user('zoe')], targets: [host('ws4')] },
    { id: 's5', score: 2, firstMs: t0 - 1000, suspects: [user('eve')], targets: [host('ws9')] },
  ]);
  await seedSignals(test.platform.postgres, { ...main, scopeId: a.otherScope }, [
    { id: 'sOther', firstMs: t0 },
  ]);
  await seedSignals(test.platform.postgres, { clusterId: b.clusterId, scopeId: b.scope }, [
    { id: 'sB', firstMs: t0 },
  ]);
});
afterAll(() => test?.close());

type CaseEndpoint = (typeof contract.CASE_ENDPOINTS)[number] | (typeof contract.CASE_LIST_ENDPOINTS)[number];

function call<E extends CaseEndpoint>(endpoint: E, input: object, as: SeedRole = 'analyst') {
  const own = as === 'engineerOfB' ? company.b : company.a;
  return test.call(endpoint, {
    ssid: ssids.get(as) ?? '',
    params: { clusterId: own.clusterId },
    input: { scope_id: own.scope, ...input },
  });
}

async function make(case_name: string, more: object = {}): Promise<contract.Case> {
  const answer = await call(contract.createCase, { case_name, ...more });
  expect(answer.http, answer.text).toBe(200);
  return answer.data;
}

const statusOf = (signalId: string) =>
  test.platform.postgres.inTenant(company.a.clusterId, async (trx) => {
    const { rows } = await sql<{ triaged: boolean; case_ids: string[] }>`
      select triaged_at is not null as triaged, case_ids from signal where signal_id = ${signalId}`.execute(
      trx,
    );
    return rows[0];
  });

const notesOf = async (case_id: string) => {
  const { data } = await call(contract.listCaseNotes, { case_ids: [case_id] });
  return data[0]?.[case_id] ?? [];
};
const historyOf = async (case_id: string) =>
  (await call(contract.caseHistory, { case_id })).data.data.map((entry) => [
    entry.action,
    entry.from,
    entry.to,
  ]);

describe('creating', () => {
  it('[C059][C056][S3-11] from several signals: OPEN, with key, risk, artifacts and time to acknowledge', async () => {
    const made = await make('Dump on dc1', {
      severity: 'High',
      signal_ids: ['s1', 's2'],
      tags: ['apt', 'apt'],
    });
    expect(made).toMatchObject({
      case_key: 'CASE-1',
      case_name: 'Dump on dc1',
      status: 'OPEN',
      severity: 'High',
      handler: null,
      signal_count: 2,
      artifact_count: 3,
      risk_score: 11,
      tta_seconds: 600,
      ttr_seconds: null,
      tags: ['apt'],
      created: t0,
      created_by: 'analyst of Harbour',
      scope_id: company.a.scope,
    });
    expect(await statusOf('s1')).toEqual({ triaged: true, case_ids: [made.case_id] });
    expect((await notesOf(made.case_id)).map((note) => [note.kind, note.notes])).toEqual([
      ['system', 'Case created by analyst of Harbour from 2 signals'],
    ]);
    expect(await historyOf(made.case_id)).toEqual([
      ['add_signal', null, 'Credential dump, Credential dump'],
      ['create', null, 'Dump on dc1'],
    ]);
  });

  it('[C059][C063][C058] takes similar pending signals of the last day when asked', async () => {
    const made = await make('With similar');
    expect(made).toMatchObject({ case_key: 'CASE-2', tta_seconds: null, risk_score: 0 });
    const added = await call(contract.addCaseSignals, {
      case_id: made.case_id,
      signal_ids: ['s1'],
      include_similar: true,
    });
    expect(added.data.added).toBe(2);
    expect(added.data.case).toMatchObject({ signal_count: 2, risk_score: 14, tta_seconds: 3600 });
    expect((await statusOf('s4'))?.triaged).toBe(false);
    expect((await statusOf('s1'))?.case_ids).toHaveLength(2);
    const again = await call(contract.addCaseSignals, { case_id: made.case_id, signal_ids: ['s1', 's3'] });
    expect(again.data.added).toBe(0);
    expect((await call(contract.listCaseSignals, { case_id: made.case_id })).data).toMatchObject({
      total_count: 2,
      data: [{ signal_id: 's1', added_by: 'analyst of Harbour' }, { signal_id: 's3' }],
    });
  });

  it('[C059] with a signal or handler of elsewhere is refused like one that is not there, and leaves nothing', async () => {
    const before = (await call(contract.listCases, {})).data.total_count;
    const create = (more: object) => call(contract.createCase, { case_name: 'x', ...more });
    const bySignal = await Promise.all(
      ['sOther', 'sB', 'sMissing'].map((id) => create({ signal_ids: ['s1', id] })),
    );
    const byHandler = await Promise.all(
      ['uengineerofb', 'uviewer', 'nobody'].map((handler) => create({ handler })),
    );
    for (const answers of [bySignal, byHandler]) {
      expect(answers.map((answer) => answer.http)).toEqual([404, 404, 404]);
      expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    }
    expect((await call(contract.listCases, {})).data.total_count).toBe(before);
    expect((await create({ case_name: '   ' })).http).toBe(422);
    expect((await create({ severity: 'Awful' })).http).toBe(422);
  });

  it('[C059] counts keys per tenant, without gaps or doubles under parallel use', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, (_, at) => make(`Parallel ${at}`)));
    const numbers = made.map((one) => Number(one.case_key.slice(5))).sort((x, y) => x - y);
    expect(numbers).toEqual(Array.from({ length: 12 }, (_, at) => (numbers[0] ?? 0) + at));
    const inB = await call(contract.createCase, { case_name: 'B first' }, 'engineerOfB');
    expect(inB.data.case_key).toBe('CASE-1');
  });
});

describe('status', () => {
  const move = (case_id: string, status: string, more: object = {}) =>
    call(contract.changeCaseStatus, { case_id, status, ...more });

  it('[C060][S4-03] keeps to the transitions, asks for handler and resolution, and is read-only when closed', async () => {
    const made = await make('Transitions');
    const { case_id } = made;
    const refused = await move(case_id, 'IN-PROGRESS');
    expect([refused.http, refused.body.status, refused.body.message]).toEqual([
      409,
      'failed',
      'A case needs a handler before it can be in progress',
    ]);
    await call(contract.assignCase, { case_id, user_id: company.userIds.engineer });
    expect((await move(case_id, 'IN-PROGRESS')).data.changed[0]?.status).toBe('IN-PROGRESS');
    expect((await move(case_id, 'OPEN')).body.message).toBe('A case cannot go from In progress to Open');
    expect((await call(contract.assignCase, { case_id, user_id: null })).http).toBe(409);
    expect((await move(case_id, 'CLOSED')).body.message).toBe('A case is closed with a resolution');
    const closed = await move(case_id, 'CLOSED', { resolution: 'false_positive', note: ' all <fine> ' });
    expect(closed.data.changed[0]).toMatchObject({
      status: 'CLOSED',
      resolution: 'false_positive',
      closed: t0,
    });
    const { revision } = closed.data.changed[0] as contract.Case;
    const locked = [
      await call(contract.editCase, { case_id, revision, severity: 'Low' }),
      await call(contract.assignCase, { case_id, user_id: null }),
      await call(contract.addCaseSignals, { case_id, signal_ids: ['s5'] }),
      await call(contract.addCaseEntity, { case_id, type: 'host', value: 'x', role: 'target' }),
      await call(contract.addCaseNote, { case_id, notes: 'late', tag_list: [] }),
    ];
    expect(locked.map((answer) => answer.http)).toEqual([409, 409, 409, 409, 409]);
    expect((await call(contract.caseInfo, { case_id })).http).toBe(200);
    const opened = await move(case_id, 'OPEN');
    expect(opened.data.changed[0]).toMatchObject({ status: 'OPEN', resolution: null, closed: null });
    expect((await notesOf(case_id)).map((note) => [note.kind, note.notes])).toEqual([
      ['system', 'Case created by analyst of Harbour'],
      ['system', 'Handler set to engineer of Harbour by analyst of Harbour'],
      ['system', 'Status changed from Open to In progress by analyst of Harbour'],
      ['system', 'Status changed from In progress to Closed as false positive by analyst of Harbour'],
      ['user', 'all &lt;fine&gt;'],
      ['system', 'Status changed from Closed to Open by analyst of Harbour'],
    ]);
  });

  it('[R-C23][C060] closed as false positive, its signals are false positives; opened again, they are not', async () => {
    const { case_id, case_key } = await make('Scanner', { signal_ids: ['s6', 's7'], include_similar: false });
    await make('Another look', { signal_ids: ['s7'], include_similar: false });
    const tagged = async () => {
      const { rows } = await test.platform.postgres.inTenant(company.a.clusterId, (trx) =>
        sql<{ signal_id: string }>`select signal_id from signal where false_positive`.execute(trx),
      );
      return rows.map((row) => row.signal_id);
    };
    await call(contract.assignCase, { case_id, user_id: company.userIds.engineer });
    await move(case_id, 'IN-PROGRESS');
    await move(case_id, 'CLOSED', { resolution: 'false_positive', note: 'our <scanner>' });
    // What another case holds as well is not for this one to say.
    expect(await tagged()).toEqual(['s6']);
    const history = (await call(contract.caseHistory, { case_id })).data.data;
    expect(history[0]).toMatchObject({
      action: 'status',
      from: 'IN-PROGRESS',
      to: 'CLOSED',
      resolution: 'false_positive',
      note: 'our &lt;scanner&gt;',
    });
    const { rows } = await test.platform.postgres.inTenant(company.a.clusterId, (trx) =>
      sql<{ detail: string }>`select detail from signal_history
        where signal_id = 's6' and action = 'false_positive'`.execute(trx),
    );
    expect(rows).toEqual([{ detail: case_key }]);
    await move(case_id, 'OPEN');
    expect(await tagged()).toEqual([]);
  });

  it('[C060][S4-07] ON-HOLD writes the phrase, and then who did it', async () => {
    const { case_id } = await make('On hold');
    await move(case_id, 'ON-HOLD');
    const notes = await notesOf(case_id);
    expect(notes.slice(1).map((note) => [note.author, note.notes])).toEqual([
      ['System', contract.ON_HOLD_PHRASE],
      ['System', 'analyst of Harbour'],
    ]);
    expect(contract.shownNotes(notes).at(-1)).toMatchObject({
      text: contract.ON_HOLD_PHRASE,
      author: 'analyst of Harbour',
    });
  });

  it('[R-C39] a system note is kept by its code, its English in the API; one of an older version stays text', async () => {
    const { case_id } = await make('By code');
    await move(case_id, 'CLOSED', { resolution: 'benign' });
    const closed = (await notesOf(case_id)).at(-1);
    expect(closed).toMatchObject({
      notes: 'Status changed from Open to Closed as benign by analyst of Harbour',
      messageCode: 'notes.closedAs',
      messageValues: { from: { code: 'words.statusOpen' }, resolution: { code: 'words.resolutionBenign' } },
    });
    await test.platform.postgres.inTenant(company.a.clusterId, async (trx) => {
      const { rows } = await sql<{ notes: string }>`
        select notes from case_note where case_id = ${case_id} order by note_id desc limit 1`.execute(trx);
      expect(rows[0]?.notes).not.toContain('Status changed');
      await sql`update case_note set notes = 'Handler removed by O&#39;Neil' where case_id = ${case_id}`.execute(
        trx,
      );
    });
    const old = (await notesOf(case_id)).at(-1);
    expect(old).toMatchObject({ notes: 'Handler removed by O&#39;Neil', kind: 'system' });
    expect(old).not.toHaveProperty('messageCode');
  });

  it('[C060][C054] time to respond leaves out ON-HOLD and goes on after a re-opening', async () => {
    const { clock } = test.platform;
    const { case_id } = await make('Clock');
    clock.advance(60_000);
    await move(case_id, 'ON-HOLD');
    clock.advance(600_000);
    expect((await call(contract.caseInfo, { case_id })).data).toMatchObject({
      on_hold_seconds: 600,
      ttr_seconds: null,
    });
    expect((await move(case_id, 'CLOSED', { resolution: 'benign' })).data.changed[0]).toMatchObject({
      ttr_seconds: 60,
      on_hold_seconds: 600,
    });
    clock.advance(60_000);
    await move(case_id, 'OPEN');
    clock.advance(30_000);
    const closed = await move(case_id, 'CLOSED', { resolution: 'benign' });
    expect(closed.data.changed[0]).toMatchObject({ ttr_seconds: 90, on_hold_seconds: 600 });
    clock.set(t0);
  });

  it('[C060] many at once: what is refused does not keep the others from changing', async () => {
    const [one, two] = [await make('Bulk 1'), await make('Bulk 2')];
    await move(two.case_id, 'CLOSED', { resolution: 'other' });
    const { data } = await call(contract.changeCaseStatus, {
      case_ids: [one.case_id, two.case_id, 'missing'],
      status: 'CLOSED',
      resolution: 'duplicate',
    });
    expect(data.changed.map((made) => made.case_id)).toEqual([one.case_id]);
    expect(data.refused).toEqual([
      expect.objectContaining({ case_id: two.case_id, message: 'The case already has the status Closed' }),
      expect.objectContaining({ case_id: 'missing', messageCode: 'session.notFound' }),
    ]);
    expect((await call(contract.changeCaseStatus, { status: 'OPEN' })).http).toBe(422);
  });

  it('[C060] two who close it at once: one does, the other is told', async () => {
    const { case_id } = await make('Race');
    const answers = await Promise.all(
      ['benign', 'other'].map((resolution) => move(case_id, 'CLOSED', { resolution })),
    );
    expect(answers.map((answer) => answer.http).sort()).toEqual([200, 409]);
  });
});

describe('editing', () => {
  it('[C061] an edit made on an older revision is refused with 409', async () => {
    const made = await make('Edit me');
    const edit = (revision: number, more: object) =>
      call(contract.editCase, { case_id: made.case_id, revision, ...more });
    const first = await edit(made.revision, { severity: 'Critical', case_name: 'Edited', tags: ['a'] });
    expect(first.data).toMatchObject({ severity: 'Critical', case_name: 'Edited', tags: ['a'] });
    const stale = await edit(made.revision, { case_name: 'Stale' });
    expect([stale.http, stale.data]).toEqual([409, { revision: first.data.revision }]);
    expect((await call(contract.caseInfo, { case_id: made.case_id })).data.case_name).toBe('Edited');
    expect(await historyOf(made.case_id)).toEqual([
      ['tags', '', 'a'],
      ['severity', 'Medium', 'Critical'],
      ['name', 'Edit me', 'Edited'],
      ['create', null, 'Edit me'],
    ]);
    expect((await call(contract.editCase, { case_id: made.case_id, severity: 'Low' })).http).toBe(422);
  });

  it('[C062] sets and takes away the handler: engineers and analysts of the scope only', async () => {
    const { case_id } = await make('Assign me');
    const assign = (user_id: string | null) => call(contract.assignCase, { case_id, user_id });
    expect((await assign(company.userIds.engineer)).data.handler).toEqual({
      user_id: 'uengineer',
      name: 'engineer of Harbour',
    });
    const refused = await Promise.all(
      [company.userIds.viewer, company.userIds.engineerOfB, 'nobody'].map(assign),
    );
    expect(new Set(refused.map((answer) => `${answer.http} ${answer.text}`)).size).toBe(1);
    expect(refused[0]?.http).toBe(404);
    expect((await assign(null)).data.handler).toBeNull();
    expect((await historyOf(case_id)).slice(0, 2)).toEqual([
      ['handler', 'engineer of Harbour', null],
      ['handler', null, 'engineer of Harbour'],
    ]);
  });

  it('[cases.removeSignal] a signal taken out is pending again', async () => {
    const made = await make('Take out', { signal_ids: ['s5', 's2'] });
    const { data } = await call(contract.removeCaseSignal, { case_id: made.case_id, signal_id: 's5' });
    expect(data).toMatchObject({ signal_count: 1, risk_score: 4, artifact_count: 2 });
    expect(await statusOf('s5')).toEqual({ triaged: false, case_ids: [] });
    expect((await call(contract.removeCaseSignal, { case_id: made.case_id, signal_id: 's5' })).http).toBe(
      404,
    );
  });
});
