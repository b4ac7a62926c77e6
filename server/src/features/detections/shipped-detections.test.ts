import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compose } from '../../compose.ts';
import type { WorkbookTables } from '../workbooks/workbook-tables.ts';
import type { DetectionScheduler } from './detection-scheduler.ts';
import { type DetectionApp, detectionApp, detectionDraft } from './testing/detection-app.ts';

// What a tenant sees of the detections that come with Tyrian.

const T0 = Date.UTC(2026, 2, 4, 10);
const QUERY = 'ProcessEvent | take 1';
let app: DetectionApp;

beforeAll(async () => {
  app = await detectionApp(T0, 'all');
  // Two processes find the new tenants at once.
  const other = compose(app.test.platform).work.find((work) => work.name === 'detections');
  await Promise.all([app.scheduler.round(), (other as DetectionScheduler).round()]);
});
afterAll(() => app?.test.close());

describe('shipped detections in a tenant', () => {
  it('[T-rules] are made by one of two processes, and configured by the other not again', async () => {
    const { clusterId } = app.company.b;
    const { rows } = await sql`select from audit_entry
      where cluster_id = ${clusterId} and action = 'detection.shipped'`.execute(
      app.test.platform.postgres.platform,
    );
    expect(rows).toHaveLength(1);
  });

  it('[C082] are there and on in every scope, read only, and an engineer switches them by scope', async () => {
    const { b } = app.company;
    const scope = { clusterId: b.clusterId, scopeId: b.scope };
    const list = await app.call(contract.listWorkbooks, { pagesize: 1000 }, 'engineerOfB', scope);
    expect(list.data.total_count).toBeGreaterThanOrEqual(25);
    expect(list.data.data.every((item) => item.properties.native && item.properties.enabled)).toBe(true);
    const ID = list.data.data[0]?.ID ?? '';
    const edit = { ID, version: 1, properties: detectionDraft(QUERY) };
    expect((await app.call(contract.editWorkbook, edit, 'engineerOfB', scope)).http).toBe(409);
    expect((await app.call(contract.deleteWorkbook, { ID }, 'engineerOfB', scope)).http).toBe(409);
    await app.call(contract.setWorkbookVisibility, { ID, enabled: false }, 'engineerOfB', scope);
    const counts = await app.call(contract.detectionWorkbookCount, {}, 'engineerOfB', scope);
    expect(counts.data.enabled).toBe(counts.data.total - 1);
    const other = { ...scope, scopeId: b.otherScope };
    const there = await app.call(contract.workbookProperties, { ID }, 'engineerOfB', other);
    expect(there.data.properties.enabled).toBe(true);
    expect((await app.call(contract.setWorkbookVisibility, { ID, enabled: true }, 'analyst')).http).toBe(403);
  });

  it('[workbooks.clone] are changed by cloning, with the original switched off', async () => {
    const list = await app.call(contract.listWorkbooks, {
      addfilters: [{ filter_key: 'native', filter_value: 'true' }],
    });
    const original = list.data.data[0];
    const name = `${original?.properties.name} - custom`;
    const { data } = await app.call(contract.cloneWorkbook, { ID: original?.ID, name, directory: 'Ours' });
    const copy = (await app.call(contract.workbookProperties, { ID: data.ID })).data.properties;
    expect(copy).toMatchObject({ name, native: false, enabled: true, version: 1, directory: 'Ours' });
    const before = await app.call(contract.workbookProperties, { ID: original?.ID });
    expect(before.data.properties.enabled).toBe(false);
    expect(copy.blocks).toEqual(before.data.properties.blocks);
  });

  it('[R-D] get their new names in a tenant that has them, and keep identifier, switch and signals', async () => {
    const { a } = app.company;
    const scope = { clusterId: a.clusterId, scopeId: a.otherScope };
    const ID = 'native-psexec-use';
    await app.call(contract.saveUpdatePolicy, { shipped: 'at-once' });
    await app.call(contract.setWorkbookVisibility, { ID, enabled: false }, 'engineer', scope);
    await app.test.platform.postgres.inTenant(a.clusterId, (trx) =>
      trx
        .withTables<WorkbookTables>()
        .updateTable('workbook')
        .set({
          name: 'PsExec at work',
          directory: 'Tyrian/Windows/Lateral movement',
          native_hash: 'of the release before',
        })
        .where('cluster_id', '=', a.clusterId)
        .where('workbook_id', '=', ID)
        .execute(),
    );
    const restarted = compose(app.test.platform).work.find((work) => work.name === 'detections');
    await (restarted as DetectionScheduler).round();
    const there = (await app.call(contract.workbookProperties, { ID }, 'engineer', scope)).data.properties;
    expect(there).toMatchObject({
      name: 'PsExec execution',
      directory: 'Tyrian/Windows/Lateral Movement',
      enabled: false,
      schedule: { mode: 'streamed' },
    });
    const here = (await app.call(contract.workbookProperties, { ID })).data.properties;
    expect(here.enabled).toBe(true);
    const folders = (await app.call(contract.listDirectories, {})).data.map((folder) => folder.path);
    expect(folders).not.toContain('Tyrian/Windows/Lateral movement');
  });
});
