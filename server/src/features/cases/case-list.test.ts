import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { type Company, seedCompany } from '../identity/users/testing/seed-company.ts';
import { seedSignals } from './testing/seed-signals.ts';

// Lists, statistics and export over a known set of cases.

let test: TestApp;
let company: Company;
let ssid: string;
let all: contract.Case[];
const t0 = Date.UTC(2026, 2, 4, 23, 30);

function call<E extends contract.Endpoint>(endpoint: E, input: object) {
  return test.call(endpoint, {
    ssid,
    params: { clusterId: company.a.clusterId },
    input: { scope_id: company.a.scope, ...input },
  });
}

const list = async (input: object = {}) =>
  (await call(contract.listCases, { pagesize: 1000, ...input })).data;
const namesOf = (page: { data: contract.Case[] }) => page.data.map((one) => one.case_name);

beforeAll(async () => {
  test = await testApp({ nowMs: t0 });
  company = await seedCompany(test.platform);
  ssid = await company.signIn('analyst');
  const { clock, postgres } = test.platform;
  const scope = { clusterId: company.a.clusterId, scopeId: company.a.scope };
  await seedSignals(postgres, scope, [
    { id: 's1', score: 9, firstMs: t0 - 120_000 },
    { id: 's2', score: 3, firstMs: t0 - 60_000 },
  ]);
  const make = async (case_name: string, more: object = {}) => {
    const { data } = await call(contract.createCase, { case_name, ...more });
    clock.advance(600_000);
    return data;
  };
  const move = (case_id: string, status: string, resolution?: string) =>
    call(contract.changeCaseStatus, { case_id, status, resolution });
  const { analyst, engineer } = company.userIds;
  await make('Phishing wave', { severity: 'High', signal_ids: ['s1'], tags: ['mail', 'Red'] });
  const held = await make('100% disk_full', { severity: 'Low', handler: analyst, signal_ids: ['s2'] });
  const running = await make('Écran volé', { severity: 'Critical', handler: engineer, tags: ['red'] });
  const done = await make('=cmd|calc', { severity: 'None' });
  const other = await make('phishing again', { handler: engineer });
  await move(held.case_id, 'ON-HOLD');
  await move(running.case_id, 'IN-PROGRESS');
  await move(done.case_id, 'CLOSED', 'benign');
  await move(other.case_id, 'CLOSED', 'true_positive');
  await make('Quiet');
  all = (await list()).data;
});
afterAll(() => test?.close());

describe('case list', () => {
  it('[C053][S7-45][S9-02] pages with the full count, newest first', async () => {
    expect(all.map((one) => one.case_key)).toEqual([
      'CASE-6',
      'CASE-5',
      'CASE-4',
      'CASE-3',
      'CASE-2',
      'CASE-1',
    ]);
    const page = await list({ pagesize: 2, pageno: 2 });
    expect([page.data.map((one) => one.case_key), page.total_count]).toEqual([['CASE-4', 'CASE-3'], 6]);
    expect((await list({ pagesize: 2, pageno: 9 })).data).toEqual([]);
    expect(contract.listCases.input.parse({ scope_id: 's' }).pagesize).toBe(200);
  });

  it('[C053][S5-06] searches a case-insensitive part of the name, taken literally, or the key', async () => {
    expect(namesOf(await list({ search: 'PHISH' }))).toEqual(['phishing again', 'Phishing wave']);
    expect(namesOf(await list({ search: '%' }))).toEqual(['100% disk_full']);
    expect(namesOf(await list({ search: '_' }))).toEqual(['100% disk_full']);
    expect(namesOf(await list({ search: 'éCRAN' }))).toEqual(['Écran volé']);
    expect(namesOf(await list({ search: 'case-3' }))).toEqual(['Écran volé']);
    expect((await list({ search: "'; drop table incident_case; --" })).total_count).toBe(0);
  });

  it('[C053] sorts by every key, both ways, nothing lost', async () => {
    for (const sort_by of contract.CASE_SORT_KEYS) {
      for (const sort_order of ['asc', 'desc']) {
        expect((await list({ sort_by, sort_order })).data).toHaveLength(6);
      }
    }
    expect((await list({ sort_by: 'severity', sort_order: 'desc' })).data.map((one) => one.severity)).toEqual(
      ['Critical', 'High', 'Medium', 'Medium', 'Low', 'None'],
    );
    expect((await list({ sort_by: 'risk_score', sort_order: 'desc' })).data[0]?.risk_score).toBe(9);
    expect((await call(contract.listCases, { sort_by: 'case_id; --' })).http).toBe(422);
  });

  it('[C053][S3-13] addfilters mean in SQL what they mean in the contract', async () => {
    const filter = (
      filter_key: string,
      filter_operand: string,
      filter_value: unknown,
      filter_condition = 'AND',
    ) => ({
      filter_key,
      filter_operand,
      filter_value,
      filter_condition,
    });
    const one = [
      filter('status', 'exact', 'open'),
      filter('status', 'in', ['OPEN', 'ON-HOLD']),
      filter('status', 'not_in', ['CLOSED']),
      filter('severity', 'in', ['High', 'Critical']),
      filter('case_name', 'fuzzy', 'PHISH'),
      filter('case_name', 'exact', 'quiet'),
      filter('case_key', 'in', ['CASE-1', 'CASE-2']),
      filter('handler', 'exact', company.userIds.engineer),
      filter('handler', 'exact', ''),
      filter('resolution', 'in', ['benign', 'true_positive']),
      filter('tags', 'exact', 'RED'),
      filter('tags', 'not_in', ['red']),
      filter('tags', 'fuzzy', 'ai'),
      filter('risk_score', 'gt', 3),
      filter('risk_score', 'lt', '3'),
      filter('risk_score', 'between', [3, 9]),
      filter('created', 'gt', t0 + 600_000),
      filter('closed', 'between', [0, Number.MAX_SAFE_INTEGER]),
      filter('closed', 'not_in', [1]),
    ];
    const valuesOf =
      (record: contract.Case) =>
      (key: string): contract.FilterValues =>
        key === 'handler'
          ? (record.handler?.user_id ?? '')
          : key === 'resolution'
            ? (record.resolution ?? '')
            : (record[key as 'status' | 'tags' | 'risk_score'] ?? null);
    const sets = [
      ...one.map((alone) => [alone]),
      ...one.map((a, at) => [a, { ...one[(at + 1) % one.length], filter_condition: 'OR' }]),
      ...one.map((a, at) => [
        a,
        { ...one[(at + 5) % one.length], filter_condition: 'OR' },
        one[(at + 7) % one.length],
      ]),
    ];
    for (const addfilters of sets) {
      const filters = addfilters.map((each) => contract.addFilterSchema.parse(each));
      const expected = all.filter((record) => contract.matchesFilters(filters, valuesOf(record)));
      expect(namesOf(await list({ addfilters })), JSON.stringify(addfilters)).toEqual(
        expected.map((record) => record.case_name),
      );
    }
    expect(namesOf(await list({ addfilters: [filter('signal_id', 'exact', 's2')] }))).toEqual([
      '100% disk_full',
    ]);
    expect(namesOf(await list({ addfilters: [filter('handler', 'fuzzy', 'ENGINEER of')] }))).toHaveLength(2);
    for (const wrong of [
      filter('risk_score', 'gt', 'many'),
      filter('created', 'between', [1]),
      filter('status', 'gt', 'OPEN'),
      filter('cluster_id', 'exact', 'x'),
    ]) {
      expect((await call(contract.listCases, { addfilters: [wrong] })).http, JSON.stringify(wrong)).toBe(422);
    }
  });

  it('[C057] statistics over the same cases', async () => {
    const { data } = await call(contract.caseListStats, {});
    expect(data).toMatchObject({
      total: 6,
      severity: { Critical: 1, High: 1, Medium: 2, Low: 1, None: 1 },
      status: { open_unassigned: 2, open_assigned: 0, in_progress: 1, on_hold: 1, closed: 2 },
      top_handlers: [
        { user_id: 'uengineer', name: 'engineer of Harbour', count: 2 },
        { user_id: 'uanalyst', count: 1 },
      ],
      oldest: { case_key: 'CASE-1', case_name: 'Phishing wave', created: t0 },
      mtta: (120 + 660) / 2,
      mttr: (1200 + 600) / 2,
    });
    expect(data.open_age).toBe((60 + 50 + 40 + 10) * 15);
    const closed = await call(contract.caseListStats, {
      addfilters: [{ filter_key: 'status', filter_value: 'CLOSED' }],
    });
    expect(closed.data).toMatchObject({ total: 2, oldest: null, open_age: null, mtta: null });
    const none = await call(contract.caseListStats, { search: 'nothing like this' });
    expect(none.data).toMatchObject({ total: 0, severity: { Critical: 0 }, mtta: null, mttr: null });
  });

  it('[C067] cases per UTC day', async () => {
    const { data } = await call(contract.caseStats, { start: t0 - 86_400_000, end: t0 + 3_600_000 });
    expect(data).toEqual([
      { day: '2026-03-03', created: 0, closed: 0 },
      { day: '2026-03-04', created: 3, closed: 0 },
      { day: '2026-03-05', created: 3, closed: 2 },
    ]);
    expect((await call(contract.caseStats, { start: 5, end: 5 })).http).toBe(422);
    expect((await call(contract.caseStats, { start: 0, end: t0 })).http).toBe(422);
  });
});

describe('case export', () => {
  it('[C055] CSV with notes in the zone asked for, guarded against formulas, and written to the history', async () => {
    const risky = all.find((one) => one.case_name === '=cmd|calc')!;
    const { case_id } = all.find((one) => one.case_name === 'Phishing wave')!;
    await call(contract.addCaseNote, { case_id, notes: 'He said "go",\nthen <left>', tag_list: [] });
    const answer = await call(contract.exportCases, {
      case_ids: [case_id, risky.case_id],
      timezone: 'Asia/Tokyo',
    });
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toBe('attachment; filename="cases.csv"');
    expect(answer.text).toContain('created (Asia/Tokyo)');
    expect(answer.text).toContain('2026-03-05 08:30:00');
    expect(answer.text).toContain('analyst of Harbour: He said ""go"",\nthen <left>');
    expect(answer.text).toContain(`,'=cmd|calc,`);
    const history = await call(contract.caseHistory, { case_id });
    expect(history.data.data[0]).toMatchObject({ action: 'export', to: 'csv' });
  });

  it('[C055] NDJSON keeps everything, with notes as plain text', async () => {
    const { case_id } = all.find((one) => one.case_name === 'Phishing wave')!;
    const answer = await call(contract.exportCases, { case_ids: [case_id], format: 'ndjson' });
    const [line, rest] = answer.text.split('\n');
    const record = JSON.parse(line ?? '');
    expect(rest).toBe('');
    expect(record).toMatchObject({ case_id, case_name: 'Phishing wave', risk_score: 9 });
    expect(record.notes.at(-1)).toMatchObject({ notes: 'He said "go",\nthen <left>' });
  });

  it('[C055] refuses too many, an unknown zone and a case of elsewhere', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`);
    expect((await call(contract.exportCases, { case_ids: ids(51) })).http).toBe(422);
    const [first] = all;
    const one = [first?.case_id];
    expect((await call(contract.exportCases, { case_ids: one, timezone: 'Mars/Base' })).http).toBe(422);
    expect((await call(contract.exportCases, { case_ids: [...one, 'missing'] })).http).toBe(404);
  });
});
