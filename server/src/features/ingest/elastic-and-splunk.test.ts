import { randomUUID } from 'node:crypto';
import { Client } from '@elastic/elasticsearch';
import { Logger } from 'splunk-logging';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../platform/http/listen.ts';
import { createHecAcks } from './hec-acks.ts';
import { type SenderSetup, senderSetup } from './testing/sender-setup.ts';

// The official client of Elasticsearch, Splunk's logger, and what senders of both ask before they send.

let setup: SenderSetup;
let node = '';

beforeAll(async () => {
  setup = await senderSetup();
  const port = await listen(setup.test.ingestApp, { bind: '127.0.0.1', port: 0, variable: 'none' });
  node = `http://127.0.0.1:${port}`;
});
afterAll(() => setup.close());

describe('the client of Elasticsearch', () => {
  const client = () => new Client({ node, auth: { apiKey: setup.token }, maxRetries: 0 });

  it('[T-ways] sends by its bulk helper, which counts what was taken', async () => {
    const datasource = Array.from({ length: 2_500 }, (_, n) => ({
      '@timestamp': '2026-01-05T06:07:08.009Z',
      message: `bulk helper ${n}`,
      n,
    }));
    const stats = await client().helpers.bulk({
      datasource,
      flushBytes: 50_000,
      concurrency: 3,
      onDocument: () => ({ create: { _index: 'logs-app-default' } }),
    });
    expect(stats).toMatchObject({ total: 2_500, successful: 2_500, failed: 0, aborted: false });
    expect(
      await setup.rows(
        "SELECT count(), uniqExact(Ext.n.:Int64) FROM events WHERE Ext.index.:String = 'logs-app-default'",
      ),
    ).toEqual([[2_500, 2_500]].map((row) => row.map(String)).map((row) => row.map(Number)));
  });

  it('[T-ways] indexes single documents, with and without an id', async () => {
    const document = { message: 'one document', 'user.name': 'ada' };
    const made = await client().index({ index: 'single', document });
    expect(made).toMatchObject({ _index: 'single', result: 'created' });
    const named = await client().create({ index: 'single', id: 'abc', document });
    expect(named).toMatchObject({ _id: 'abc', result: 'created' });
    await client().index({ index: 'single', id: 'def', document });
    expect(await setup.count("Ext.index.:String = 'single' AND ActorUsername = 'ada'")).toBe(3);
    expect((await client().info()).version.number).toMatch(/^8\./);
    expect((await client().cluster.health()).status).toBe('green');
    expect(await client().indices.exists({ index: 'single' })).toBe(true);
    expect(await client().indices.existsIndexTemplate({ name: 'filebeat-8.17.0' })).toBe(true);
  });

  it('[T-ways] is refused without a token, and asks nothing of other paths', async () => {
    const stranger = new Client({ node, auth: { apiKey: 'tyr_notatokenatall' }, maxRetries: 0 });
    await expect(stranger.index({ index: 'x', document: { a: 1 } })).rejects.toMatchObject({
      statusCode: 401,
    });
    await expect(client().search({ index: 'single' })).rejects.toMatchObject({ statusCode: 404 });
  });

  it('[T-ways] gets an answer to every question of Beats, Logstash, Vector and Fluent Bit', async () => {
    const headers = { authorization: `Bearer ${setup.token}` };
    for (const url of [
      ...['/', '/_license', '/_xpack', '/_cluster/health', '/_cluster/settings', '/_nodes/http'],
      ...[
        '/_ilm/policy/filebeat',
        '/_index_template/ecs-logstash',
        '/_template/logstash',
        '/_alias/filebeat',
      ],
      ...['/_data_stream/logs-x-default', '/_ingest/pipeline/filebeat', '/_component_template/x'],
    ]) {
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await setup.test.ingestApp.inject({ method, url, headers });
        expect([answer.statusCode, answer.headers['x-elastic-product']], url).toEqual([200, 'Elasticsearch']);
      }
    }
    for (const url of ['/_ilm/policy/x', '/_index_template/x', '/_ingest/pipeline/x', '/logstash-000001']) {
      const answer = await setup.test.ingestApp.inject({ method: 'PUT', url, headers, payload: '{}' });
      expect(answer.json(), url).toMatchObject({ acknowledged: true });
    }
  });
});

describe('HEC', () => {
  it("[T-ways] takes what Splunk's logger sends", async () => {
    const logger = new Logger({ token: setup.token, url: node, maxBatchCount: 0 });
    logger.send({ message: { 'user.name': 'eve', action: 'login' }, metadata: { host: 'splunk-host' } });
    logger.send({ message: 'text of the logger', severity: 'warn' });
    const body = await new Promise((resolve, reject) =>
      logger.flush((error, _response, answer) => (error ? reject(error) : resolve(answer))),
    );
    expect(body).toEqual({ text: 'Success', code: 0 });
    expect(await setup.count("DvcHostname = 'splunk-host'")).toBe(1);
    expect(await setup.count("Raw LIKE '%text of the logger%'")).toBe(1);
  });

  it('[T-ways] acknowledges on channels: ids of this source and channel alone', async () => {
    const channel = randomUUID();
    const send = await setup.post('/services/collector/event', '{"event":"acknowledged"}', {
      'x-splunk-request-channel': channel,
    });
    const { ackId } = send.body as { ackId: number };
    expect(Number.isSafeInteger(ackId)).toBe(true);
    const raw = await setup.post(`/services/collector/raw?channel=${channel}`, 'raw line');
    const rawId = raw.body.ackId as number;
    const ask = (on: string, acks: unknown) =>
      setup.post(`/services/collector/ack?channel=${on}`, JSON.stringify({ acks }));
    expect((await ask(channel, [ackId, rawId, ackId + 1, 0])).body).toEqual({
      acks: { [ackId]: true, [rawId]: true, [ackId + 1]: false, 0: false },
    });
    expect((await ask(randomUUID(), [ackId])).body).toEqual({ acks: { [ackId]: false } });
    expect((await setup.post('/services/collector/ack', '{"acks":[1]}')).body).toMatchObject({ code: 10 });
    expect((await ask('no-guid', [1])).body).toMatchObject({ code: 11 });
    expect((await ask(channel, 'all')).body).toMatchObject({ code: 6 });
    const refused = await setup.post('/services/collector/event', '{"event":""}', {
      'x-splunk-request-channel': channel,
    });
    expect(refused.body).not.toHaveProperty('ackId');
  });

  it('[T-ways] knows in one process the ids of another, and gives each batch its own', () => {
    const sign = (text: string) =>
      Buffer.from(
        [...text]
          .reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) >>> 0, 7)
          .toString(16)
          .padStart(8, '0'),
        'hex',
      );
    const [one, other] = [createHecAcks(sign, 0), createHecAcks(sign, 1_048_570)];
    const ids = Array.from({ length: 20 }, () => other.issue('s', 'c'));
    expect(new Set(ids).size).toBe(20);
    expect(Object.values(one.ask('s', 'c', JSON.stringify({ acks: ids })) ?? {})).toEqual(
      ids.map(() => true),
    );
    expect(one.ask('t', 'c', JSON.stringify({ acks: ids.slice(0, 1) }))).toEqual({ [ids[0] ?? 0]: false });
    expect(one.ask('s', 'c', JSON.stringify({ acks: new Array(10_001).fill(1) }))).toBeUndefined();
  });

  it('[T-ways] tells its health, and whether a token opens it', async () => {
    const health = (query: string) =>
      setup.test.ingestApp.inject({ url: `/services/collector/health${query}` });
    expect((await health(`?ack=1&token=${setup.token}`)).json()).toMatchObject({ code: 17 });
    const wrong = await health('?token=tyr_notatokenatall');
    expect([wrong.statusCode, wrong.json()]).toEqual([400, { text: 'Invalid token', code: 4 }]);
  });
});
