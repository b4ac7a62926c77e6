import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { type Company, type SeedRole, seedCompany } from '../identity/users/testing/seed-company.ts';
import { seedSignals } from './testing/seed-signals.ts';

// Entities, figures and graph of a case, its notes, and that cases of elsewhere are not there.

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

describe('evidence', () => {
  it('[R-C24][cases.addEntities] adds several entities at once, and says which were there already', async () => {
    const { case_id } = await make('Indicators', { signal_ids: ['s1'] });
    const entities = [
      { type: 'ip', value: '203.0.113.10' },
      { type: 'domain', value: 'evil.example' },
      { type: 'mail', value: 'ana@evil.example' },
      { type: 'file', value: 'C:\\a b.exe' },
      { type: 'ip', value: '203.0.113.10' },
      { type: 'user', value: 'eve' },
    ];
    const put = (more: object = {}) =>
      call(contract.addCaseEntities, { case_id, role: 'suspect', entities, ...more });
    expect((await put()).data).toEqual({ added: 4, unchanged: 2 });
    expect((await put()).data).toEqual({ added: 0, unchanged: 6 });
    const all = (await call(contract.listCaseEntities, { case_id })).data;
    expect(all.filter((one) => one.added).map((one) => one.type)).toEqual(
      expect.arrayContaining(['ip', 'domain', 'mail', 'file']),
    );
    expect((await call(contract.caseInfo, { case_id })).data.artifact_count).toBe(all.length);
    expect((await put({ entities: [{ type: 'planet', value: 'x' }] })).http).toBe(422);
  });

  it('[C065][C066][C064][C068] entities with their roles, figures and graph', async () => {
    const { case_id } = await make('Evidence', { signal_ids: ['s1', 's2'] });
    const add = (value: string, role: string) =>
      call(contract.addCaseEntity, { case_id, type: 'host', value, role });
    expect((await add('ws9', 'suspect')).data).toMatchObject({ role: 'both', added: true, risk_score: 4 });
    expect((await add('printer', 'target')).data).toMatchObject({ role: 'target', risk_score: 0 });
    expect((await add('printer', 'target')).http).toBe(409);
    expect((await add('printer', 'suspect')).data.role).toBe('both');
    expect(
      (await call(contract.addCaseEntity, { case_id, type: 'planet', value: 'x', role: 'target' })).http,
    ).toBe(422);
    const entities = (await call(contract.listCaseEntities, { case_id })).data;
    expect(entities.map((one) => [one.value, one.role, one.risk_score, one.added])).toEqual([
      ['dc1', 'both', 11, false],
      ['eve', 'suspect', 7, false],
      ['ws9', 'both', 4, true],
      ['printer', 'both', 0, true],
    ]);
    expect((await call(contract.caseFigures, { case_id })).data).toEqual({
      signal_count: 2,
      risk_score: 11,
      suspects: 1,
      targets: 0,
      compromised: 3,
      tactics: [
        { name: 'Credential Access', count: 1 },
        { name: 'Lateral Movement', count: 1 },
      ],
      techniques: [
        { name: 'T1003', count: 1 },
        { name: 'T1021', count: 1 },
      ],
      entity_types: [
        { name: 'host', count: 3 },
        { name: 'user', count: 1 },
      ],
      first_signal: t0 - 600_000,
      last_signal: t0 - 60_000,
    });
    const graph = (await call(contract.caseGraph, { case_id })).data;
    expect(graph.nodes.map((node) => [node.kind, node.label])).toHaveLength(6);
    const dc1 = graph.nodes.find((node) => node.label === 'dc1');
    expect(dc1?.role).toBe('both');
    expect(
      graph.edges.filter((edge) => edge.to === dc1?.id).map((edge) => [edge.signal_id, edge.role]),
    ).toEqual(
      expect.arrayContaining([
        ['s1', 'target'],
        ['s2', 'suspect'],
      ]),
    );
    expect((await call(contract.caseInfo, { case_id })).data.artifact_count).toBe(4);
  });
});

describe('notes', () => {
  it('[C069][C070][S7-46][S7-47][S5-03][S3-12] are trimmed, escaped once, and listed as maps from case id', async () => {
    const [one, two] = [await make('Notes 1'), await make('Notes 2')];
    const typed = `  <script>alert("x")</script> & 'quotes' &lt; done  `;
    const sent = await call(contract.addCaseNote, {
      case_id: one.case_id,
      notes: contract.escapeNote(typed),
      author: 'somebody else',
      tag_list: ['triage'],
    });
    expect(sent.data).toMatchObject({ author: 'analyst of Harbour', kind: 'user', tag_list: ['triage'] });
    expect(contract.readNote(sent.data.notes)).toBe(typed.trim());
    const bare = await call(contract.addCaseNote, {
      case_id: one.case_id,
      notes: ' <b>&</b> ',
      tag_list: [],
    });
    expect(bare.data.notes).toBe('&lt;b&gt;&amp;&lt;/b&gt;');
    expect(
      (await call(contract.addCaseNote, { case_id: one.case_id, notes: ' \n ', tag_list: [] })).http,
    ).toBe(422);
    const { data } = await call(contract.listCaseNotes, { case_ids: [two.case_id, one.case_id, 'missing'] });
    expect(data.map((map) => Object.keys(map))).toEqual([[two.case_id], [one.case_id]]);
    expect(data[1]?.[one.case_id]?.map((note) => note.kind)).toEqual(['system', 'user', 'user']);
    expect(Object.keys(data[1]?.[one.case_id]?.[1] ?? {})).toEqual(
      expect.arrayContaining(['notes', 'author', 'cnam_time', 'tag_list']),
    );
    expect((await call(contract.caseInfo, { case_id: one.case_id })).data.notes_count).toBe(3);
  });
});

describe('isolation', () => {
  it('[C053][C054][C070] a case of another scope or tenant is not there, whoever asks', async () => {
    const inB = (await call(contract.createCase, { case_name: 'zqcanary' }, 'engineerOfB')).data;
    const other = await test.call(contract.createCase, {
      ssid: ssids.get('engineer') ?? '',
      params: { clusterId: company.a.clusterId },
      input: { scope_id: company.a.otherScope, case_name: 'zqcanary' },
    });
    const { revision } = inB;
    const about = (case_id: string) => [
      call(contract.caseInfo, { case_id }),
      call(contract.editCase, { case_id, revision, severity: 'Low' }),
      call(contract.changeCaseStatus, { case_id, status: 'ON-HOLD' }),
      call(contract.assignCase, { case_id, user_id: null }),
      call(contract.addCaseSignals, { case_id, signal_ids: ['s5'] }),
      call(contract.removeCaseSignal, { case_id, signal_id: 's5' }),
      call(contract.listCaseSignals, { case_id }),
      call(contract.listCaseEntities, { case_id }),
      call(contract.addCaseEntity, { case_id, type: 'host', value: 'x', role: 'target' }),
      call(contract.caseFigures, { case_id }),
      call(contract.caseHistory, { case_id }),
      call(contract.caseGraph, { case_id }),
      call(contract.addCaseNote, { case_id, notes: 'x', tag_list: [] }),
      call(contract.exportCases, { case_ids: [case_id] }),
    ];
    const missing = await Promise.all(about('missing'));
    for (const case_id of [inB.case_id, other.data.case_id]) {
      const answers = await Promise.all(about(case_id));
      expect(answers.map((answer) => [answer.http, answer.text])).toEqual(
        missing.map((answer) => [404, answer.text]),
      );
      expect((await call(contract.listCaseNotes, { case_ids: [case_id] })).data).toEqual([]);
    }
    const list = await call(contract.listCases, { pagesize: 1000 });
    expect(list.text).not.toContain('zqcanary');
    const stats = await call(contract.caseListStats, { search: 'zqcanary' });
    expect(stats.data.total).toBe(0);
    expect((await call(contract.caseInfo, { case_id: inB.case_id }, 'engineerOfB')).data).toEqual(inB);
  });

  it('row-level security alone keeps tenants apart, also without a condition', async () => {
    const seen = await test.platform.postgres.inTenant(company.b.clusterId, (trx) =>
      sql<{ cluster_id: string }>`select cluster_id from incident_case`.execute(trx),
    );
    expect(new Set(seen.rows.map((row) => row.cluster_id))).toEqual(new Set([company.b.clusterId]));
    await expect(
      test.platform.postgres.inTenant(company.b.clusterId, (trx) =>
        sql`insert into incident_case_counter values (${company.a.clusterId}, 1)`.execute(trx),
      ),
    ).rejects.toThrow(/row-level security/);
    for (const table of ['case_signal', 'case_entity', 'case_note', 'case_history']) {
      const { rows } = await test.platform.postgres.inTenant('nosuchtenant', (trx) =>
        sql`select 1 from ${sql.id(table)}`.execute(trx),
      );
      expect(rows).toEqual([]);
    }
  });

  it('[S6-21] viewers and tenant administrators have no cases', async () => {
    for (const role of ['viewer', 'tenantAdmin'] as const) {
      const answer = await call(contract.listCases, {}, role);
      expect([answer.http, answer.body.message]).toEqual([403, 'user not authorised']);
    }
  });
});
