import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DetectionApp, detectionApp, detectionDraft } from '../detections/testing/detection-app.ts';

// Workbooks as their callers meet them, on the real engines.

const T0 = Date.UTC(2026, 2, 4, 10);
const QUERY = "ProcessEvent\n| where ProcessName endswith 'tool.exe'";
let app: DetectionApp;

beforeAll(async () => {
  app = await detectionApp(T0);
});
afterAll(() => app?.test.close());

const add = async (draft: object, as: 'engineer' | 'analyst' = 'engineer') => {
  const answer = await app.call(contract.addWorkbook, { properties: draft, commit_message: 'first' }, as);
  expect(answer.text, answer.text).toContain('success');
  return answer.data.ID;
};
const read = async (ID: string) => (await app.call(contract.workbookProperties, { ID })).data.properties;

describe('saving', () => {
  it('[C083][C089] keeps a detection with what follows from it', async () => {
    const ID = await add(detectionDraft(QUERY, { directory: 'Lab/Tools', tags: ['mine'] }));
    expect(await read(ID)).toMatchObject({
      name: 'Tool use',
      directory: 'Lab/Tools',
      author: 'engineer of Harbour',
      native: false,
      enabled: true,
      version: 1,
      streams: ['ProcessEvent'],
      detection: true,
      severity: 'High',
      technique: 'T1059',
      rule_state: 'waiting',
      editable: true,
      schedule: { mode: 'streamed', lookback_minutes: 0 },
    });
  });

  it('[C083] refuses with the path of every mistake, and keeps nothing', async () => {
    const draft = detectionDraft('ProcessEvent\n| where NoSuchColumn == 1', {
      signal: { name: 'x _$Nowhere_', suspects: [{ type: 'user', field: 'Nobody' }], targets: [] },
    });
    const before = (await app.call(contract.listWorkbooks, {})).data.total_count;
    const answer = await app.call(contract.addWorkbook, { properties: draft });
    expect(answer.http).toBe(422);
    const { problems } = answer.body.data as unknown as { problems: contract.DraftProblem[] };
    expect(problems[0]).toMatchObject({ block_id: 'query', field: 'query', severity: 'error' });
    expect(problems[0]?.span).toEqual({ start: 21, end: 33 });
    expect((await app.call(contract.listWorkbooks, {})).data.total_count).toBe(before);
  });

  it('[R-C39] tells a mistake of a query by the key of its sentence, and what to do about it', async () => {
    const answer = await app.call(contract.addWorkbook, { properties: detectionDraft('Nope | take 1') });
    const told = { messageCode: 'kql.unknownTable', messageValues: { name: 'Nope' } };
    expect(answer.body).toMatchObject(told);
    const { problems } = answer.body.data as unknown as { problems: contract.DraftProblem[] };
    expect(problems[0]).toMatchObject({ message: 'Unknown table Nope', ...told });
    expect(problems[0]?.hintCode).toMatch(/^kql\./);
  });

  it('[workbooks.check] names fields that the query does not yield, and a signal without entities', async () => {
    const draft = detectionDraft(QUERY, {
      signal: {
        name: 'by _$Nowhere_',
        suspects: [{ type: 'user', field: 'Nobody' }],
        technique: 'T1110',
        sub_technique: '',
      },
    });
    const { data } = await app.call(contract.checkWorkbook, { properties: draft });
    expect(data.ok).toBe(false);
    expect(data.problems.map(({ code, field, span }) => ({ code, field, span }))).toEqual([
      { code: 'WB205', field: 'technique', span: null },
      { code: 'WB203', field: 'name', span: { start: 3, end: 13 } },
      { code: 'WB204', field: 'suspects.0', span: null },
    ]);
    const bare = await app.call(contract.checkWorkbook, {
      properties: detectionDraft(QUERY, { signal: { suspects: [], targets: [] } }),
    });
    expect(bare.data.problems.map((problem) => problem.code)).toEqual(['WB202']);
    const good = await app.call(contract.checkWorkbook, { properties: detectionDraft(QUERY) });
    expect(good.data).toMatchObject({ ok: true, problems: [], streams: ['ProcessEvent'] });
    expect(good.data.columns).toContainEqual({ name: 'DvcHostname', type: 'string' });
  });

  it('[C083] refuses a schedule that never runs and one with nothing to run', async () => {
    const schedule = { mode: 'scheduled', cron: '61 * * * *', timezone: 'UTC' } as const;
    const wrong = await app.call(contract.addWorkbook, {
      properties: detectionDraft(QUERY, { schedule: { ...schedule, lookback_minutes: 0 } }),
    });
    expect(wrong.http).toBe(422);
    const empty = await app.call(contract.addWorkbook, {
      properties: { name: 'Only text', schedule: { mode: 'streamed' }, blocks: [] },
    });
    expect(empty.http).toBe(422);
    expect(empty.body.message).toMatch(/nothing to run/);
  });

  it('[C083] keeps a workbook without signal, unknown columns being warnings there', async () => {
    const blocks = [{ block_id: 'a', type: 'kql', body: { query: 'ProcessEvent | take 5' } }];
    const ID = await add({ name: 'Saved search', blocks });
    expect(await read(ID)).toMatchObject({ detection: false, rule_state: 'off', severity: 'None' });
  });

  it('[C083] refuses malformed input with 422', async () => {
    for (const properties of [null, {}, { name: '' }, { name: 'x', blocks: [{ type: 'python' }] }]) {
      expect((await app.call(contract.addWorkbook, { properties })).http).toBe(422);
    }
  });
});

describe('versions', () => {
  it('[C090][C094][C096][C095][S4-09] keeps versions, shows them, goes back, and refuses stale edits', async () => {
    const ID = await add(detectionDraft(QUERY));
    const second = detectionDraft(`${QUERY}\n| take 3`, { name: 'Tool use, narrowed' });
    const edit = { ID, version: 1, properties: second, commit_message: 'narrow it' };
    expect((await app.call(contract.editWorkbook, edit)).data).toEqual({ ID, version: 2 });
    const stale = await app.call(contract.editWorkbook, edit);
    expect(stale.http).toBe(409);
    expect(stale.body.data).toEqual({ version: 2 });
    const back = await app.call(contract.revertWorkbook, { ID, version: 1 });
    expect(back.data).toEqual({ ID, version: 3 });
    expect((await read(ID)).name).toBe('Tool use');
    const { data: versions } = await app.call(contract.workbookVersionList, { ID });
    expect(versions.map((each) => [each.version, each.commit_message])).toEqual([
      [3, 'Back to version 1'],
      [2, 'narrow it'],
      [1, 'first'],
    ]);
    const { data: old } = await app.call(contract.viewWorkbookVersion, { ID, version: 2 });
    expect(old.properties.name).toBe('Tool use, narrowed');
    expect((await app.call(contract.viewWorkbookVersion, { ID, version: 9 })).http).toBe(404);
    expect((await app.call(contract.revertWorkbook, { ID, version: 9 })).http).toBe(404);
  });

  it('[C088][C095] leaves folder and schedule alone when it goes back, unless the schedule is asked for', async () => {
    const off = { mode: 'off', cron: null, timezone: 'UTC', lookback_minutes: 0 } as const;
    const ID = await add(detectionDraft(QUERY, { schedule: off }));
    const streamed = { ...off, mode: 'streamed', lookback_minutes: 5 } as const;
    const text = { blocks: [{ block_id: 'a', type: 'kql', body: { query: QUERY } }], schedule: off };
    const edits = [detectionDraft(QUERY, { schedule: streamed }), { ...detectionDraft(QUERY), ...text }];
    for (const [index, properties] of edits.entries()) {
      await app.call(contract.editWorkbook, { ID, version: index + 1, properties });
    }
    await app.call(contract.moveWorkbook, { ID, directory: 'Elsewhere' });

    await app.call(contract.revertWorkbook, { ID, version: 2 });
    expect(await read(ID)).toMatchObject({ schedule: off, directory: 'Elsewhere', rule_state: 'off' });
    await app.call(contract.revertWorkbook, { ID, version: 2, with_schedule: true });
    expect(await read(ID)).toMatchObject({ schedule: streamed, directory: 'Elsewhere' });
    // Version 1 is off; what runs now goes on running with its text.
    await app.call(contract.revertWorkbook, { ID, version: 1 });
    expect(await read(ID)).toMatchObject({ schedule: streamed });
    // Without a detection there is nothing that could run.
    expect((await app.call(contract.revertWorkbook, { ID, version: 3 })).http).toBe(200);
    expect((await read(ID)).schedule.mode).toBe('off');
  });

  it('[C091][S4-09] downloads as YAML', async () => {
    const ID = await add(detectionDraft(QUERY, { name: 'Täglich: Tools' }));
    const file = await app.call(contract.downloadWorkbook, { ID });
    expect(file.headers['content-type']).toMatch(/yaml/);
    expect(file.headers['content-disposition']).toBe('attachment; filename="t-glich-tools.yaml"');
    expect(file.text).toContain('ProcessEvent');
  });

  it('[C093][C097][S4-09] locks against others until the lock is taken away', async () => {
    const ID = await add(detectionDraft(QUERY), 'analyst');
    expect((await app.call(contract.lockWorkbook, { ID, lock: true }, 'analyst')).data.locked).toBe(true);
    const state = (await app.call(contract.checkLockedWorkbook, { ID })).data;
    expect(state).toEqual({ locked: true, locked_by: 'analyst of Harbour', since: T0 });
    const editable = async (role: 'analyst' | 'engineer') =>
      (await app.call(contract.workbookProperties, { ID }, role)).data.properties.editable;
    expect([await editable('analyst'), await editable('engineer')]).toEqual([true, false]);
    const refused = await app.call(contract.moveWorkbook, { ID, directory: 'Elsewhere' });
    expect([refused.http, refused.body.message]).toEqual([
      409,
      'analyst of Harbour has locked this workbook',
    ]);
    expect((await app.call(contract.lockWorkbook, { ID, lock: false }, 'engineer')).data.locked).toBe(false);
    expect((await app.call(contract.moveWorkbook, { ID, directory: 'Elsewhere' })).http).toBe(200);
  });

  it('[C086][S4-09] deletes; signals of it would still find their text', async () => {
    const ID = await add(detectionDraft(QUERY));
    expect((await app.call(contract.deleteWorkbook, { ID })).http).toBe(200);
    expect((await app.call(contract.workbookProperties, { ID })).http).toBe(404);
    expect((await app.call(contract.deleteWorkbook, { ID })).http).toBe(404);
    const kb = await app.call(contract.signalKnowledge, { workbook_id: ID });
    expect(kb.data.kb).toContain('A test.');
  });
});

describe('lists', () => {
  it('[C084][C040][S7-39][S7-42][S7-51] filters, sorts and pages with the count of all', async () => {
    for (const name of ['List a', 'List b', 'List c'])
      await add(detectionDraft(QUERY, { name, tags: ['listed'] }));
    const addfilters = [{ filter_key: 'tags', filter_operand: 'exact', filter_value: 'listed' }];
    const page = await app.call(contract.listWorkbooks, {
      addfilters,
      pageno: 2,
      pagesize: 2,
      order: 'desc',
    });
    expect(page.data.total_count).toBe(3);
    expect(page.data.data.map((item) => item.properties.name)).toEqual(['List a']);
    const ID = page.data.data[0]?.ID ?? '';
    const search = await app.test.call(contract.searchObjects, {
      ssid: await app.company.signIn('analyst'),
      params: { clusterId: app.company.a.clusterId },
      input: {
        ssid: 'ignored',
        ScopeID: app.company.a.scope,
        addfilters: [
          { filter_condition: 'AND', filter_key: 'ID', filter_operand: 'fuzzy', filter_value: ID.slice(2) },
          {
            filter_condition: 'AND',
            filter_key: 'ConfType',
            filter_operand: 'exact',
            filter_value: 'WorkBooks',
          },
        ],
      },
    });
    expect(search.data.data.map((item) => item.ID)).toEqual([ID]);
  });

  it('[C102][C103][C104] keeps folders, and deletes only empty ones', async () => {
    await add(detectionDraft(QUERY, { directory: 'Deep/Folder' }));
    const made = await app.call(contract.addDirectory, { name: 'Empty', parent: 'Deep' });
    expect(made.data.path).toBe('Deep/Empty');
    expect((await app.call(contract.addDirectory, { name: 'Empty', parent: 'Deep' })).http).toBe(409);
    expect((await app.call(contract.addDirectory, { name: 'x', parent: 'Missing' })).http).toBe(404);
    expect((await app.call(contract.addDirectory, { name: 'a/b' })).http).toBe(422);
    const { data } = await app.call(contract.listDirectories, {});
    expect(
      data.filter((each) => each.path.startsWith('Deep')).map((each) => [each.path, each.workbooks]),
    ).toEqual([
      ['Deep', 0],
      ['Deep/Empty', 0],
      ['Deep/Folder', 1],
    ]);
    expect((await app.call(contract.deleteDirectory, { name: 'Deep' })).http).toBe(409);
    expect((await app.call(contract.deleteDirectory, { name: 'Empty', parent: 'Deep' })).http).toBe(200);
  });

  it('[C098][S7-50] offers pick lists; techniques come from ATT&CK', async () => {
    const meta = async (type: string) =>
      (
        await app.test.call(contract.workbookMeta, {
          ssid: await app.company.signIn('analyst'),
          params: { clusterId: app.company.a.clusterId },
          input: { type },
        })
      ).data;
    expect((await meta('tactics')).map((tactic) => tactic.name)).toContain('Lateral Movement');
    expect(await meta('techniques')).toContainEqual({
      id: 'T1059.001',
      name: 'PowerShell',
      tactics: ['Execution'],
      parent: 'T1059',
    });
    expect((await meta('stages')).map((stage) => stage.id)).toEqual(['dev', 'test', 'beta', 'prod']);
  });

  it('[C085] says which streams receive data', async () => {
    const ID = await add(detectionDraft(QUERY));
    await app.store([{ time: T0 - 1000 }]);
    const { data } = await app.call(contract.workbookStreamDryFlow, { ID });
    expect(data).toEqual([{ stream: 'ProcessEvent', last_event: T0 - 1000, has_data: true }]);
  });

  it('[rules.listNextRuns] tells the next five runs', async () => {
    const schedule = { mode: 'scheduled', cron: '0 6 * * 1-5', timezone: 'Europe/Paris' };
    const { data } = await app.call(contract.nextRuns, { schedule });
    expect(data.map((time) => new Date(time).toISOString())[0]).toBe('2026-03-05T05:00:00.000Z');
    expect(data).toHaveLength(5);
    expect(
      (await app.call(contract.nextRuns, { schedule: { ...schedule, timezone: 'Nowhere/X' } })).http,
    ).toBe(422);
  });
});

describe('rights', () => {
  it('[S6-21] lets analysts change only their own workbooks', async () => {
    const theirs = await add(detectionDraft(QUERY), 'analyst');
    const other = await add(detectionDraft(QUERY), 'engineer');
    expect((await app.call(contract.moveWorkbook, { ID: theirs, directory: 'A' }, 'analyst')).http).toBe(200);
    for (const [endpoint, input] of [
      [contract.moveWorkbook, { directory: 'A' }],
      [contract.deleteWorkbook, {}],
      [contract.setWorkbookVisibility, { enabled: false }],
      [contract.lockWorkbook, { lock: true }],
      [contract.editWorkbook, { version: 1, properties: detectionDraft(QUERY) }],
      [contract.revertWorkbook, { version: 1 }],
    ] as const) {
      const answer = await app.call(endpoint, { ID: other, ...input }, 'analyst');
      expect([endpoint.name, answer.http, answer.body.message]).toEqual([
        endpoint.name,
        403,
        'user not authorised',
      ]);
    }
    expect((await app.call(contract.moveWorkbook, { ID: theirs, directory: 'B' }, 'engineer')).http).toBe(
      200,
    );
  });

  const ENDPOINTS = [
    contract.detectionWorkbookCount,
    contract.addWorkbook,
    contract.listWorkbooks,
    contract.workbookStreamDryFlow,
    contract.deleteWorkbook,
    contract.moveWorkbook,
    contract.workbookProperties,
    contract.editWorkbook,
    contract.downloadWorkbook,
    contract.setWorkbookVisibility,
    contract.lockWorkbook,
    contract.workbookVersionList,
    contract.revertWorkbook,
    contract.viewWorkbookVersion,
    contract.checkLockedWorkbook,
    contract.workbookMeta,
    contract.searchObjects,
    contract.checkWorkbook,
    contract.cloneWorkbook,
    contract.importWorkbook,
    contract.previewDetection,
    contract.nextRuns,
    contract.ruleHealth,
    contract.ruleLedger,
    contract.listDirectories,
    contract.addDirectory,
    contract.deleteDirectory,
  ] as const;

  it.each(ENDPOINTS.map((endpoint) => [endpoint.name, endpoint] as const))(
    '[%s] is closed to nobody, viewers, administrators without a role, and people of other tenants',
    async (_id, endpoint) => {
      const input = { ID: 'x', type: 'stages', properties: detectionDraft(QUERY), file: 'name: x' };
      expect((await app.call(endpoint, input, 'nobody')).http).toBe(401);
      expect((await app.call(endpoint, input, 'viewer')).http).toBe(403);
      expect((await app.call(endpoint, input, 'tenantAdmin')).http).toBe(403);
      const { a, b } = app.company;
      const strangers = await app.call(endpoint, input, 'engineerOfB');
      expect([403, 404]).toContain(strangers.http);
      const mixed = await app.call(endpoint, input, 'engineerOfB', {
        clusterId: b.clusterId,
        scopeId: a.scope,
      });
      if (endpoint.method === 'POST') expect([403, 404]).toContain(mixed.http);
    },
  );

  it('does not find the workbook of another scope or tenant, with any call', async () => {
    const ID = await add(detectionDraft(QUERY));
    const { a, b } = app.company;
    const draft = detectionDraft(QUERY);
    for (const [endpoint, more] of [
      [contract.workbookProperties, {}],
      [contract.deleteWorkbook, {}],
      [contract.moveWorkbook, { directory: 'x' }],
      [contract.editWorkbook, { version: 1, properties: draft }],
      [contract.downloadWorkbook, {}],
      [contract.setWorkbookVisibility, { enabled: true }],
      [contract.lockWorkbook, { lock: true }],
      [contract.checkLockedWorkbook, {}],
      [contract.workbookVersionList, {}],
      [contract.viewWorkbookVersion, { version: 1 }],
      [contract.revertWorkbook, { version: 1 }],
      [contract.workbookStreamDryFlow, {}],
      [contract.cloneWorkbook, { name: 'stolen' }],
      [contract.ruleLedger, {}],
    ] as const) {
      const other = await app.call(endpoint, { ID, ...more }, 'engineer', { scopeId: a.otherScope });
      const tenant = await app.call(endpoint, { ID, ...more }, 'engineerOfB', {
        clusterId: b.clusterId,
        scopeId: b.scope,
      });
      expect([endpoint.name, other.http, tenant.http]).toEqual([endpoint.name, 404, 404]);
      expect(tenant.text).not.toContain('Tool use');
    }
    expect((await read(ID)).version).toBe(1);
  });
});
