import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventConsumer } from '../../platform/events/event-consumer.ts';
import { drainAll } from '../../platform/events/testing/drain-all.ts';
import { type DetectionApp, detectionApp, detectionDraft } from '../detections/testing/detection-app.ts';
import { createRetentionDays } from '../identity/tenants/retention-days.ts';

const NOW = Date.UTC(2026, 5, 10, 12);
const MINUTE = 60_000;
let app: DetectionApp;

beforeAll(async () => {
  app = await detectionApp(NOW);
  const { identity, userIds, a } = app.company;
  await identity.users.grant({
    userId: userIds.contentManager,
    clusterId: a.clusterId,
    accessType: 'Custom',
    roles: { [a.scope]: 'Viewer' },
  });
});
afterAll(() => app?.test.close());

const manage = <E extends contract.Endpoint>(endpoint: E, input: object) =>
  app.call(endpoint, input, 'contentManager');
const field = (stream: string, name: string, type = 'string', more: object = {}) =>
  manage(contract.saveModelField, { stream, name, type, is_new: true, ...more });

/** What a query finds, or the refusal as text. */
async function ask(query: string, as: 'engineer' | 'engineerOfB' = 'engineer'): Promise<unknown> {
  const { b } = app.company;
  const where = as === 'engineer' ? {} : { clusterId: b.clusterId, scopeId: b.scope };
  const asked = { job_type: 'kql', query, from: 'now-24h', to: 'now' };
  const started = await app.call(contract.invokeJob, asked, as, where);
  const taskid = started.data?.[0]?.id;
  if (!taskid) return started.text;
  const ssid = await app.company.signIn(as);
  const params = { clusterId: where.clusterId ?? app.company.a.clusterId, taskid };
  const state = async () => (await app.test.call(contract.taskState, { ssid, params })).body;
  await expect
    .poll(async () => (await state()).task_stage, { timeout: 20_000, interval: 20 })
    .toMatch(/^(?:EXECUTED|FAILURE)$/);
  const ended = await state();
  if (ended.task_stage !== 'EXECUTED') return ended;
  const input = { form: 'rows', pagesize: 100 };
  const { body } = await app.test.call(contract.taskResult, { ssid, params, input });
  return 'rows' in body ? body.rows : body;
}

describe('the data model of a tenant', () => {
  it('[T-data-model] a stream and its fields are known to queries, lists and the editor at once, in their tenant alone', async () => {
    const made = await manage(contract.saveModelStream, {
      name: 'Vpn',
      description: 'Tunnels',
      is_new: true,
    });
    expect(made.http, made.text).toBe(200);
    const added = await field('Vpn', 'TunnelNumber', 'int', { aliases: ['tunnel_no'], example: '7' });
    expect(added.http, added.text).toBe(200);
    await app.store([
      { time: NOW - MINUTE, stream: 'Vpn', columns: { Ext: { TunnelNumber: '7' }, ActorUsername: 'ana' } },
      { time: NOW - MINUTE, stream: 'Vpn', columns: { Ext: { tunnel_no: 9 }, ActorUsername: 'ben' } },
      { time: NOW - MINUTE, stream: 'Dns', columns: { ActorUsername: 'eve' } },
    ]);
    expect(await ask('Vpn | where TunnelNumber > 8 | project ActorUsername, TunnelNumber')).toEqual([
      ['ben', 9],
    ]);
    expect(
      await ask('Events | summarize n = count() by TunnelNumber | sort by n asc, TunnelNumber asc'),
    ).toEqual(
      expect.arrayContaining(
        [
          [7, 1],
          [9, 1],
          [null, 1],
        ].map((row) => row),
      ),
    );
    expect(await ask('union * | count')).toEqual([[3]]);
    expect(JSON.stringify(await ask('Vpn | count', 'engineerOfB'))).toContain('Vpn');
    const catalog = await app.call(contract.readCatalog, {});
    expect(catalog.data).toMatchObject({
      streams: [{ name: 'Vpn' }],
      fields: [{ stream: 'Vpn', name: 'TunnelNumber', type: 'long' }],
    });
    const fields = await app.call(contract.listFields, { stream: [] });
    expect(fields.data.find(({ name }) => name === 'TunnelNumber')).toMatchObject({
      ...{ type: 'long', kind: 'column', streams: ['Vpn'], aliases: ['tunnel_no'] },
    });
  });

  it('[T-data-model] a stream of the tenant is offered where streams are chosen, and kept as long as said', async () => {
    const { clusterId, scope: scopeId } = app.company.a;
    const offered = await app.call(contract.workbookMeta, { type: 'streams' });
    expect(offered.http, offered.text).toBe(200);
    expect(offered.data.map(({ id }) => id)).toEqual(expect.arrayContaining(['Dns', 'Vpn']));
    const { b } = app.company;
    const ofB = { clusterId: b.clusterId, scopeId: b.scope };
    const stranger = await app.call(contract.workbookMeta, { type: 'streams' }, 'engineerOfB', ofB);
    expect(stranger.data.map(({ id }) => id)).not.toContain('Vpn');
    const saved = await app.call(contract.saveScopeStreamConfig, { stream: 'Vpn', retention_days: 5 });
    expect(saved.http, saved.text).toBe(200);
    const { data } = await app.call(contract.readScopeStreamConfig, {});
    expect(data.data.find(({ stream }) => stream === 'Vpn')).toMatchObject({
      retention_days: 5,
      set_in: 'scope',
    });
    const { postgres, clock } = app.test.platform;
    expect(await createRetentionDays({ postgres, clock })(clusterId, scopeId)).toMatchObject({ Vpn: 5 });
  });

  it('[T-data-model] a rule over a stream of the tenant fires', async () => {
    const added = await app.call(contract.addWorkbook, {
      properties: detectionDraft('Vpn | where TunnelNumber == 66', { name: 'Odd tunnel' }),
    });
    expect(added.http, added.text).toBe(200);
    app.test.platform.clock.advance(5 * MINUTE);
    await app.store([
      {
        time: NOW + MINUTE,
        stream: 'Vpn',
        columns: { Ext: { TunnelNumber: 66 }, ActorUsername: 'eve', DvcHostname: 'gate' },
      },
    ]);
    for (let round = 0; round < 200 && (await app.scheduler.round()); round += 1);
    const { data } = await app.call(contract.listSignals, {
      start: NOW - 60 * MINUTE,
      end: NOW + 60 * MINUTE,
    });
    expect(data.data.map(({ name }) => name)).toContain('eve ran a tool on gate');
  });

  it.each([
    ['isColumn', 'Dns', 'SrcIpAddr', 'string', {}],
    ['isColumn', 'Dns', 'srcipaddr', 'string', {}],
    ['isColumn', 'Dns', 'Other', 'string', { aliases: ['process.command_line'] }],
    ['isColumn', 'Syslog', 'SyslogMessage', 'string', {}],
    ['fieldTaken', 'Vpn', 'TunnelNumber', 'int', {}],
    ['otherType', 'Dns', 'TunnelNumber', 'string', {}],
    ['otherCase', 'Dns', 'tunnelnumber', 'int', {}],
    ['isAlias', 'Dns', 'tunnel_no', 'int', {}],
    ['noStream', 'Nowhere', 'Name', 'string', {}],
  ] as const)(
    '[T-data-model] a name that would be mixed up is refused: %s, %s.%s',
    async (code, ...wanted) => {
      const [stream, name, type, more] = wanted as unknown as [string, string, string, object];
      const answer = await field(stream, name, type, more);
      expect(answer.body.messageCode, answer.text).toBe(`dataModel.${code}`);
    },
  );

  it('[T-data-model] the same field in another stream is one field, and names of tables are no streams', async () => {
    expect((await field('Dns', 'TunnelNumber', 'int')).http).toBe(200);
    for (const name of ['Dns', 'vpn', 'SecurityEvent', 'ago']) {
      const answer = await manage(contract.saveModelStream, { name, is_new: true });
      expect(answer.body.messageCode, name).toBe('dataModel.nameTaken');
    }
    const notMine = await app.call(contract.saveModelStream, { name: 'Mine', is_new: true });
    expect(notMine.http).toBe(403);
  });

  it('[T-data-model] what an engineer asks for is approved or refused with a reason, and the engineer is told', async () => {
    const maker = app.test.composed.work.find(({ name }) => name === 'notifications') as EventConsumer;
    const drain = () => drainAll(app.test.platform.postgres, maker);
    // Whoever reads for the first time begins with what happens from then on.
    await drain();
    const wanted = [
      { stream: 'Badge', description: 'Doors' },
      { stream: 'Badge', field: 'Door', type: 'string' },
      { stream: 'Vpn', field: 'TunnelNumber', type: 'int' },
    ];
    const asked = await app.call(contract.askModel, { source: 'badge-reader', wanted });
    expect(asked.http, asked.text).toBe(200);
    expect(asked.data.request_ids).toHaveLength(2);
    const again = await app.call(contract.askModel, { source: 'badge-reader', wanted });
    expect(again.data.request_ids).toEqual(asked.data.request_ids);
    const [stream = '', door = ''] = asked.data.request_ids;
    const early = await manage(contract.decideModelRequest, { request_id: door, approve: true });
    expect(early.body.messageCode).toBe('dataModel.noStream');
    expect((await manage(contract.decideModelRequest, { request_id: stream, approve: true })).http).toBe(200);
    const silent = await manage(contract.decideModelRequest, { request_id: door, approve: false });
    expect(silent.body.messageCode).toBe('dataModel.reasonMissing');
    const reason = 'Call it DoorName';
    expect(
      (await manage(contract.decideModelRequest, { request_id: door, approve: false, reason })).http,
    ).toBe(200);
    const twice = await manage(contract.decideModelRequest, { request_id: door, approve: true });
    expect(twice.body.messageCode).toBe('dataModel.decided');
    const { data } = await app.call(contract.listModelRequests, {});
    expect(data.map(({ state, reason: why }) => [state, why]).sort()).toEqual([
      ['approved', ''],
      ['refused', reason],
    ]);
    expect(await ask('Badge | count')).toEqual([[0]]);
    await drain();
    const told = await app.call(contract.listNotifications, {});
    expect(told.data.data.filter(({ kind }) => kind === 'data_model_decided')).toHaveLength(2);
  });

  it('[T-data-model] what something names is removed only when that is confirmed, and then it is gone at once', async () => {
    const used = await manage(contract.removeModelStream, { name: 'Vpn' });
    expect(used.body.messageCode, used.text).toBe('dataModel.inUse');
    const gone = await manage(contract.removeModelField, {
      stream: 'Dns',
      name: 'TunnelNumber',
      confirm_used: true,
    });
    expect(gone.http).toBe(200);
    expect((await manage(contract.removeModelStream, { name: 'Vpn', confirm_used: true })).http).toBe(200);
    expect(JSON.stringify(await ask('Vpn | count'))).toContain('Vpn');
    expect((await manage(contract.removeModelStream, { name: 'Dns', confirm_used: true })).http).toBe(404);
  });
});
