import {
  cancelTask,
  estimateCost,
  explainSearch,
  explainZeroRows,
  exportSearch,
  fieldValues,
  forgetSearches,
  type InputOf,
  invokeJob,
  listFields,
  listSearchHistory,
  listSourceNames,
  listTimezones,
  searchHistogram,
  taskResult,
  taskState,
} from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { type Company, seedCompany } from '../identity/users/testing/seed-company.ts';
import { insertEvents } from './testing/insert-events.ts';

const NOW = Date.UTC(2026, 5, 10, 12);
const CANARY = 'canary-of-tenant-b';
const EVENTS_IN_A = 3000;

let server: TestApp;
let company: Company;
let ssid: string;

beforeAll(async () => {
  server = await testApp({ nowMs: NOW });
  company = await seedCompany(server.platform);
  ssid = await company.signIn('engineer');
  const { eventStore } = server.platform;
  await insertEvents(eventStore, company.a.clusterId, EVENTS_IN_A, (n) => ({
    Scope: n % 3 === 0 ? company.a.otherScope : company.a.scope,
    Stream: n % 2 === 0 ? 'ProcessEvent' : 'Dns',
    TimeGenerated: NOW - n * 20_000,
    SourceName: 'agents',
    SourceType: 'windows-event',
    DvcHostname: `host${n % 7}`,
    CommandLine: n % 2 === 0 ? `run --job ${n}` : '',
    EventID: n,
    Ext: { nested: { colour: n % 4 === 0 ? 'red' : 'blue' }, size: n },
    Raw: `event number ${n} of host${n % 7}`,
  }));
  await insertEvents(eventStore, company.b.clusterId, 50, (n) => ({
    Scope: company.b.scope,
    Stream: 'Dns',
    TimeGenerated: NOW - n * 1000,
    DnsQuery: CANARY,
    Raw: CANARY,
    Ext: { [CANARY]: n },
  }));
});
afterAll(() => server?.close());

const inA = () => ({ clusterId: company.a.clusterId });
const asked = (query: string, rest: object = {}) => ({
  scope_id: company.a.scope,
  query,
  from: 'now-24h',
  to: 'now',
  ...rest,
});

async function invoke(query: string, rest: object = {}, session = ssid) {
  const input = { job_type: 'kql', ...asked(query, rest) } as InputOf<typeof invokeJob>;
  return server.call(invokeJob, { ssid: session, params: inA(), input });
}

async function untilEnded(id: string, session = ssid) {
  for (;;) {
    const { body } = await server.call(taskState, { ssid: session, params: { ...inA(), taskid: id } });
    if (body.task_stage === 'EXECUTED' || body.task_stage === 'FAILURE') return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function search(query: string, rest: object = {}) {
  const id = (await invoke(query, rest)).data[0]?.id ?? '';
  const state = await untilEnded(id);
  const { body } = await server.call(taskResult, {
    ssid,
    params: { ...inA(), taskid: id },
    input: { form: 'rows', pagesize: 10_000 },
  });
  return { id, state, result: body };
}

describe('searches as tasks', () => {
  it('[C110][C119][C120][S7-59][S7-60] invokes, polls and pages a search', async () => {
    const invoked = await invoke('Events | project TimeGenerated, EventID');
    expect(invoked.body).toMatchObject({ status: 'success', data: [{ status: 'PENDING' }] });
    const id = invoked.data[0]?.id ?? '';
    const state = await untilEnded(id);
    expect(state).toMatchObject({ task_stage: 'EXECUTED', task_state: 'SUCCESS' });
    expect(state.progress).toMatchObject({ share: 1, rows_ready: 1000 });
    const page = async (pageno: number) =>
      (
        await server.call(taskResult, {
          ssid,
          params: { ...inA(), taskid: id },
          input: { pageno, pagesize: 300 },
        })
      ).body;
    const pages = [await page(1), await page(2), await page(4), await page(5)];
    expect(pages.map((one) => one.result.length)).toEqual([300, 300, 100, 0]);
    expect(pages[0]).toMatchObject({
      total_count: 1000,
      truncated: true,
      fields_list: ['TimeGenerated', 'EventID'],
    });
    expect(pages[0]?.notices).toMatchObject([{ code: 'rows-capped' }]);
    const ids = pages.flatMap((one) => one.result.map((row) => Number(row.EventID)));
    expect(ids).toEqual([...ids].sort((a, b) => a - b)); // newest first: the number counts back in time
    expect(ids[0]).toBe(1);
  });

  it('answers all rows newest first over every step of the widening window', async () => {
    const { result } = await search('Events | where EventID % 50 == 1 | project EventID');
    const expected = Array.from({ length: 60 }, (_, n) => n * 50 + 1).filter((n) => n % 3 !== 0);
    expect(result.rows.map(([id]) => id)).toEqual(expected);
    expect(result.truncated).toBe(false);
  });

  it('keeps the order that the query asks for, and limits to what it takes', async () => {
    const sorted = await search('Events | sort by EventID desc | take 3 | project EventID');
    expect(sorted.result.rows.flat()).toEqual([2999, 2998, 2996]);
    const taken = await search('Events | take 5 | project EventID');
    expect(taken.result.rows.flat()).toEqual([1, 2, 4, 5, 7]);
    expect(taken.result.truncated).toBe(false);
  });

  it('says that a filter on TimeGenerated overrides the picker', async () => {
    const { result } = await search('Events | where TimeGenerated > ago(1m) | count', { from: 'now-30d' });
    expect(result.rows).toEqual([[2]]);
    expect(result.range).toBeNull();
    expect(result.notices).toMatchObject([{ code: 'picker-overridden' }]);
  });

  it('[R-C39] fails with diagnostics at their place when the text has mistakes', async () => {
    const { state } = await search('Events | where EventID = 1');
    expect(state).toMatchObject({ task_stage: 'FAILURE', task_state: 'FAILED' });
    expect(state.diagnostics[0]).toMatchObject({ text: { key: 'singleEquals' }, span: { start: 15 } });
    expect(state.messageValues).toMatchObject({ diagnostic: { code: 'kql.singleEquals' } });
    const long = await invoke(`Events | where Raw == "${'x'.repeat(70_000)}"`);
    expect(long.http).toBe(422); // refused before it becomes a task
  });

  it('reads a field of Ext by its path', async () => {
    const { result } = await search('Events | where Ext.nested.colour == "red" | summarize n = count()');
    expect(result.rows).toEqual([[500]]);
  });

  it('[C110] refuses bad ranges and bad input with a reason', async () => {
    const backwards = await invoke('Events', { from: 'now', to: 'now-1h' });
    expect(backwards).toMatchObject({ http: 422, body: { status: 'failed' } });
    expect((await invoke('Events', { from: 'yesterday' })).body.message).toContain('from');
    expect((await invoke('Events', { query_timezone: 'Mars' })).http).toBe(422);
    const wrongType = await server.call(invokeJob, { ssid, params: inA(), input: { job_type: 'sql' } });
    expect(wrongType.http).toBeGreaterThanOrEqual(400);
  });
});

describe('who may search', () => {
  it('[C110][S6-03] is for analysts and engineers of the scope', async () => {
    const http = async (role: Parameters<Company['signIn']>[0], rest = {}) =>
      (await invoke('print 1', rest, await company.signIn(role))).http;
    expect(await http('analyst')).toBe(200);
    expect(await http('viewer')).toBe(403);
    expect(await http('tenantAdmin')).toBe(403);
    expect(await http('noAccess')).toBeGreaterThanOrEqual(403);
    expect(await http('engineerOfB')).toBeGreaterThanOrEqual(403);
    expect(await http('analyst', { scope_id: company.a.otherScope })).toBeGreaterThanOrEqual(403);
    expect((await invoke('print 1', {}, 'no-such-session')).http).toBe(401);
  });

  it('[C119][C120] hides a task from everyone but its owner, in its own tenant', async () => {
    const { id } = await search('Events | count');
    const analyst = await company.signIn('analyst');
    const stranger = await company.signIn('engineerOfB');
    for (const endpoint of [taskState, taskResult, cancelTask]) {
      const params = { ...inA(), taskid: id };
      expect((await server.call(endpoint, { ssid: analyst, params })).http).toBe(404);
      const elsewhere = { clusterId: company.b.clusterId, taskid: id };
      expect((await server.call(endpoint, { ssid: stranger, params: elsewhere })).http).toBe(404);
    }
  });

  it('never shows a byte of another tenant or scope', async () => {
    const texts: string[] = [];
    for (const query of [
      'Events',
      'Dns | where Raw has "canary"',
      'union Dns, Events | summarize count() by DnsQuery',
    ]) {
      const { result } = await search(query, { from: 'now-30d', row_limit: 10_000 });
      texts.push(JSON.stringify(result));
    }
    const input = asked('Events');
    texts.push((await server.call(listFields, { ssid, params: inA(), input })).text);
    texts.push(
      (await server.call(fieldValues, { ssid, params: inA(), input: { ...input, field: 'Scope' } })).text,
    );
    texts.push((await server.call(exportSearch, { ssid, params: inA(), input })).text);
    texts.push((await server.call(listSourceNames, { ssid, params: inA(), input })).text);
    for (const text of texts) {
      expect(text).not.toContain(CANARY);
      expect(text).not.toContain(company.a.otherScope);
    }
  });
});

describe('beside the rows', () => {
  it('[C106] lists columns and the fields seen in Ext, with examples', async () => {
    const { data } = await server.call(listFields, {
      ssid,
      params: inA(),
      input: { scope_id: company.a.scope },
    });
    const field = (name: string) => data.find((one) => one.name === name);
    expect(field('CommandLine')).toMatchObject({ kind: 'column', type: 'string', streams: ['ProcessEvent'] });
    expect(field('CommandLine')?.example).toContain('run --job');
    expect(field('Ext.nested.colour')).toMatchObject({ kind: 'ext', path: 'nested.colour', type: 'string' });
    expect(field('Ext.size')?.type).toBe('long');
    const input = { scope_id: company.a.scope, stream: ['Dns'] };
    const dns = (await server.call(listFields, { ssid, params: inA(), input })).data;
    expect(dns.find((one) => one.name === 'DnsQuery')?.recommended).toBe(true);
    expect(dns.find((one) => one.name === 'CommandLine')?.streams).toEqual([]);
  });

  it('[C107] estimates what a query would read', async () => {
    const cost = async (query: string) =>
      (await server.call(estimateCost, { ssid, params: inA(), input: asked(query) })).data;
    const one = await cost('Dns | where DvcHostname == "host1"');
    expect(one.streams).toEqual(['Dns']);
    expect(one.scan_rows).toBeGreaterThan(0);
    expect(one.scan_bytes).toBeGreaterThan(0);
    expect((await cost('Events')).scan_rows).toBeGreaterThanOrEqual(one.scan_rows);
  });

  it('[C109] names the sources of a scope', async () => {
    const { data } = await server.call(listSourceNames, { ssid, params: inA(), input: asked('') });
    expect(data).toMatchObject([{ source_name: 'agents', source_type: 'windows-event', events: 2000 }]);
    expect(data[0]?.last_event).toBe(NOW - 20_000);
  });

  it('[C116][S7-57] lists time zones', async () => {
    const { data } = await server.call(listTimezones, { ssid, params: inA() });
    expect(data.find((zone) => zone.name === 'Asia/Kolkata')).toMatchObject({
      offset: '+05:30',
      offset_minutes: 330,
    });
  });

  it('counts over time what the query keeps before it aggregates', async () => {
    const histogram = async (query: string, rest = {}) =>
      (await server.call(searchHistogram, { ssid, params: inA(), input: { ...asked(query), ...rest } })).data;
    const whole = await histogram('Events | summarize count() by DvcHostname', { buckets: 24 });
    expect(whole).toMatchObject({ applicable: true, total: 2000, bucket_ms: 3_600_000 });
    expect(whole.times).toHaveLength(24);
    expect(whole.series.map((one) => one.value).sort()).toEqual(['Dns', 'ProcessEvent']);
    const sum = whole.series.flatMap((one) => one.counts).reduce((a, b) => a + b, 0);
    expect(sum).toBe(2000);
    const byHost = await histogram('Events | where Stream == "Dns"', { stack_by: 'DvcHostname' });
    expect(byHost).toMatchObject({ total: 1000 });
    expect(byHost.series).toHaveLength(7);
    expect(await histogram('print 1')).toMatchObject({ applicable: false });
    const lastHour = await histogram('Events | where TimeGenerated > ago(1h)');
    expect(lastHour.total).toBeGreaterThan(100);
    expect(lastHour.range.to - lastHour.range.from).toBeLessThan(3_700_000);
  });

  it('gives the top values of a field, of columns and of Ext', async () => {
    const values = async (field: string, query = 'Events') =>
      (await server.call(fieldValues, { ssid, params: inA(), input: { ...asked(query), field, limit: 3 } }))
        .data;
    expect(await values('Stream')).toMatchObject({
      total: 2000,
      with_value: 2000,
      distinct: 2,
      values: [
        { value: 'Dns', count: 1000 },
        { value: 'ProcessEvent', count: 1000 },
      ],
    });
    expect(await values('CommandLine')).toMatchObject({ total: 2000, with_value: 1000 });
    expect((await values('Ext.nested.colour')).values).toEqual([
      { value: 'blue', count: 1500 },
      { value: 'red', count: 500 },
    ]);
    expect((await values('len', 'Events | extend len = strlen(DvcHostname)')).values).toEqual([
      { value: '5', count: 2000 },
    ]);
    const unknown = await server.call(fieldValues, {
      ssid,
      params: inA(),
      input: { ...asked('Events'), field: 'NoSuchField' },
    });
    expect(unknown).toMatchObject({ http: 422 });
  });

  it('[R-C6] says why there are no rows', async () => {
    const why = async (query: string, rest = {}) =>
      (await server.call(explainZeroRows, { ssid, params: inA(), input: asked(query, rest) })).data;
    const filtered = await why(
      'ProcessEvent\n| where DvcHostname startswith "host"\n| where EventID == 1\n| take 5',
    );
    expect(filtered).toMatchObject({ reason: 'filtered', emptied_by: 2 });
    expect(filtered.steps.map((step) => step.rows)).toEqual([1000, 1000, 0]);
    expect(await why('Email | take 5')).toMatchObject({ reason: 'stream-empty', newest_event: null });
    const early = await why('Dns | take 5', { from: 'now-30d', to: 'now-20d' });
    expect(early).toMatchObject({ reason: 'range-empty', newest_event: NOW - 20_000 });
    expect(await why('print 1')).toMatchObject({ reason: 'not-applicable' });
    const nowhere = await why('search "no-such-word"', { from: 'now-1h' });
    expect(nowhere).toMatchObject({ reason: 'not-found', searched: 120, newest_event: null });
    expect(await why('search in (Dns) "no-such-word"')).toMatchObject({
      reason: 'not-found',
      searched: 1000,
    });
    const later = { from: 'now-40d', to: 'now-39d' };
    expect(await why('search "no-such-word"', later)).toMatchObject({
      reason: 'range-empty',
      searched: null,
    });
    expect(await why('CloudDnsEvents | take 5')).toMatchObject({
      table: 'CloudDnsEvents',
      instead: { stream: 'Dns', events: 1000 },
    });
  });

  it('shows the SQL and the plan, without a literal of the query in the text', async () => {
    const input = asked('Dns | where DnsQuery has "Needle77"');
    const { data } = await server.call(explainSearch, { ssid, params: inA(), input });
    expect(data.sql).not.toMatch(/needle77/i);
    expect(JSON.stringify(data.params)).toMatch(/needle77/i);
    expect(data.engine_plan).toContain('ReadFromMergeTree');
    expect(data.columns).toContainEqual({ name: 'DnsQuery', type: 'string' });
    expect(JSON.stringify(data.unscoped_plan)).not.toContain(company.a.scope);
    expect(JSON.stringify(data.plan)).toContain(company.a.scope);
    const viewer = await company.signIn('viewer');
    expect((await server.call(explainSearch, { ssid: viewer, params: inA(), input })).http).toBe(403);
  });

  it('remembers the searches of a user and forgets them on request', async () => {
    const analyst = await company.signIn('analyst');
    const list = async (session: string) =>
      (
        await server.call(listSearchHistory, {
          ssid: session,
          params: inA(),
          input: { scope_id: company.a.scope },
        })
      ).data;
    await untilEnded((await invoke('Events | take 7', {}, analyst)).data[0]?.id ?? '', analyst);
    const mine = await list(analyst);
    const entry = mine.find((one) => one.query === 'Events | take 7');
    expect(entry).toMatchObject({ query: 'Events | take 7', from: 'now-24h', rows: 7, status: 'done' });
    expect((await list(ssid)).some((entry) => entry.query === 'Events | take 7')).toBe(false);
    const forget = await server.call(forgetSearches, {
      ssid: analyst,
      params: inA(),
      input: { scope_id: company.a.scope, ids: [entry?.id ?? ''] },
    });
    expect(forget.data).toEqual({ removed: 1 });
    expect((await list(analyst)).some((entry) => entry.query === 'Events | take 7')).toBe(false);
  });
});

describe('exports', () => {
  it('streams all rows past every cap, as CSV and NDJSON', async () => {
    const file = async (rest: object) =>
      server.call(exportSearch, { ssid, params: inA(), input: { ...asked('Events'), ...rest } });
    const csv = await file({ columns: ['EventID', 'DvcHostname'], bom: true });
    const lines = csv.text.split('\r\n');
    expect(csv.headers['content-type']).toContain('text/csv');
    expect(lines[0]).toBe('\uFEFFEventID,DvcHostname');
    expect(lines.slice(0, 3)).toEqual(['\uFEFFEventID,DvcHostname', '1,host1', '2,host2']);
    expect(lines.filter((line) => line !== '')).toHaveLength(2001);
    const ndjson = await file({ format: 'ndjson' });
    const rows = ndjson.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows).toHaveLength(2000);
    expect(new Set(rows.map((row) => row.EventID)).size).toBe(2000);
    expect((await file({ columns: ['Nothing'] })).http).toBe(422);
    const broken = await server.call(exportSearch, {
      ssid,
      params: inA(),
      input: asked('Events | whre x'),
    });
    expect(broken).toMatchObject({ http: 422, body: { status: 'failed' } });
  });
});
