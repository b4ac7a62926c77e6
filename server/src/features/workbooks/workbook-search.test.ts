import * as contract from '@tyrian/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type DetectionApp, detectionApp, detectionDraft } from '../detections/testing/detection-app.ts';

// Finding workbooks by what they hold, and reading one of many.

const T0 = Date.UTC(2026, 2, 4, 10);
let app: DetectionApp;

beforeAll(async () => {
  app = await detectionApp(T0, 'all');
  await app.scheduler.round();
});
afterAll(() => app?.test.close());

const search = async (text: string, where = {}) => {
  const addfilters = [{ filter_key: 'text', filter_operand: 'fuzzy', filter_value: text }];
  const answer = await app.call(contract.listWorkbooks, { addfilters, pagesize: 500 }, 'engineer', where);
  expect(answer.http, answer.text).toBe(200);
  return answer.data.data.map((item) => item.ID);
};

describe('a search of workbooks', () => {
  it.each([
    ['kerberoast', 'native-kerberoasting'],
    ['dcsync', 'native-dcsync'],
    ['T1003', 'native-dcsync'],
    ['t1003.001', 'native-lsass-memory-dump'],
    ['encodedcommand', 'native-encoded-powershell'],
    ['OS credential dumping', 'native-sam-hive-copy'],
    ['scheduled task/job', 'native-cron-download-job'],
    ['lateral-movement', 'native-psexec-use'],
    ["=~ 'psexec.c'", 'native-psexec-use'],
    ['squiblydoo', 'native-regsvr32-remote-script'],
  ])('[R-C30] finds by technique, tag, query and description: %s', async (text, id) => {
    expect(await search(text)).toContain(id);
  });

  it('[R-C30] wants every word, and finds nothing for what nothing holds', async () => {
    expect(await search('T1003 ntds.dit esentutl')).toEqual(['native-sam-hive-copy']);
    expect(await search('t1003 nothing-holds-this')).toEqual([]);
    expect(await search('%_\' \\ "')).toEqual([]);
  });

  it('[R-C30] sees what was saved last, and nothing of other scopes or deleted workbooks', async () => {
    const query = 'ProcessEvent | where CommandLine has "C:\\\\Zephyr\\\\run.exe"';
    const draft = { properties: detectionDraft(query), commit_message: '' };
    const { ID } = (await app.call(contract.addWorkbook, draft)).data;
    expect(await search('c:\\\\zephyr\\\\run.exe')).toEqual([ID]);
    expect(await search('zephyr', { scopeId: app.company.a.otherScope })).toEqual([]);
    const edited = { ID, version: 1, properties: detectionDraft('ProcessEvent | where ProcessName has "x"') };
    await app.call(contract.editWorkbook, edited);
    expect(await search('zephyr')).toEqual([]);
    await app.call(contract.deleteWorkbook, { ID });
    expect(await search('where ProcessName has "x"')).toEqual([]);
  });

  it('[R-C30] of the palette finds techniques too', async () => {
    const found = await app.call(contract.globalSearch, { query: 'T1558.003' }, 'analyst');
    expect(found.data.workbooks.map((each) => each.ID)).toEqual(['native-kerberoasting']);
  });
});

it('[R-B] one workbook is read with eleven statements and its own rows, whatever else the scope holds', async () => {
  const read = () => app.call(contract.workbookProperties, { ID: 'native-dcsync' });
  await read();
  const results: Promise<pg.QueryResult>[] = [];
  const real = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const result = Reflect.apply(real, this, args);
    results.push(result as Promise<pg.QueryResult>);
    return result;
  } as never);
  const { data } = await read();
  spy.mockRestore();
  // A text of two statements answers two results.
  const settled = (await Promise.all(results)).flat();
  const ofTables = settled.filter(
    (result) => result.command === 'SELECT' && !('set_config' in (result.rows[0] ?? {})),
  );
  const rows = ofTables.reduce((sum, result) => sum + result.rows.length, 0);
  const wide = settled.flatMap((result) => result.rows).filter((row) => 'blocks' in row);
  expect(data.properties.name).toBe('DCSync by a non-DC account');
  expect(data.properties.rule_state).toBe('waiting');
  expect(wide).toHaveLength(1);
  expect(rows).toBeLessThanOrEqual(3);
  expect(settled.length).toBeLessThanOrEqual(11);
});
