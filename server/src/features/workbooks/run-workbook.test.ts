import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DetectionApp, detectionApp, detectionDraft } from '../detections/testing/detection-app.ts';

const T0 = Date.UTC(2026, 2, 4, 10);
let app: DetectionApp;

beforeAll(async () => {
  app = await detectionApp(T0);
});
afterAll(() => app?.test.close());

const ended = async (taskid: string) => {
  const params = { clusterId: app.company.a.clusterId, taskid };
  for (;;) {
    const ssid = await app.company.signIn('engineer');
    const { body } = await app.test.call(contract.taskState, { ssid, params });
    if (body.task_stage === 'EXECUTED' || body.task_stage === 'FAILURE') {
      const result = await app.test.call(contract.taskResult, { ssid, params, input: { form: 'objects' } });
      return result.body.result;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

it('[S3-16][S7-43][C110] a workbook is an ID, a ConfType and properties, and runs on demand by its ID', async () => {
  const event = { ProcessName: 'C:\\tool.exe', DvcHostname: 'pc-1' };
  await app.store([{ time: T0 - 60_000, columns: event }]);
  const properties = detectionDraft("ProcessEvent\n| where ProcessName endswith 'tool.exe'");
  const { ID } = (await app.call(contract.addWorkbook, { properties, commit_message: 'first' })).data;
  const record = (await app.call(contract.workbookProperties, { ID })).data;
  expect(record).toMatchObject({ ID, ConfType: 'WorkBooks', properties: { name: 'Tool use' } });

  const request = { job_type: 'workbook', job_execution: 'on-demand', directive: 'return', ID } as const;
  const run = (scope: string, more: object = {}) =>
    app.call(contract.invokeJob, { ...request, ScopeID: scope, from: 'now-1h', to: 'now', ...more } as never);
  const started = await run(app.company.a.scope);
  expect(started.data).toMatchObject([{ status: 'PENDING' }]);
  expect(await ended(started.data[0]?.id ?? '')).toMatchObject([{ DvcHostname: 'pc-1' }]);

  expect((await run(app.company.a.scope, { ID: 'nosuchbook' })).http).toBe(404);
  expect((await run(app.company.b.scope)).http).toBe(403);
});
