import { gzipSync } from 'node:zlib';
import grpc from '@grpc/grpc-js';
import { SeverityNumber } from '@opentelemetry/api-logs';
import { OTLPLogExporter as GrpcExporter } from '@opentelemetry/exporter-logs-otlp-grpc';
import { OTLPLogExporter as HttpExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtoExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { LoggerProvider, type LogRecordExporter, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../platform/http/listen.ts';
import { type SenderSetup, senderSetup } from './testing/sender-setup.ts';

// OTLP logs from the official exporters of OpenTelemetry, and what they would never send.

let setup: SenderSetup;
let address = '';

beforeAll(async () => {
  setup = await senderSetup();
  const port = await listen(setup.test.ingestApp, { bind: '127.0.0.1', port: 0, variable: 'none' });
  address = `http://127.0.0.1:${port}`;
  await setup.feature.work.start();
});
afterAll(() => setup.close());

const SSHD = '<38>Nov 22 07:47:06 srv1 sshd[2211]: Failed password for root from 185.1.2.3 port 55411 ssh2';

/** As `resourceFromAttributes` of @opentelemetry/resources makes it. */
const RESOURCE = {
  attributes: { 'service.name': 'otel-service', 'host.name': 'otel-host' },
  asyncAttributesPending: false,
};

/** Four records of different bodies, through the whole SDK. */
async function emit(exporter: LogRecordExporter, service: string): Promise<void> {
  const provider = new LoggerProvider({
    resource: RESOURCE as never,
    processors: [new SimpleLogRecordProcessor(exporter)],
  });
  const logger = provider.getLogger(service, '1.2');
  logger.emit({ body: SSHD, attributes: { tries: 3 } });
  logger.emit({
    body: 'words that nobody knows',
    severityNumber: SeverityNumber.ERROR,
    severityText: 'ERROR',
    timestamp: new Date('2026-01-03T04:05:06.007Z'),
    attributes: { big: 2 ** 40, list: ['a', 'b'], team: 'red' },
  });
  logger.emit({ body: { 'user.name': 'ada', deep: { er: [true, null] } } });
  logger.emit({ eventName: 'login', attributes: { 'user.name': 'eve' } });
  await provider.forceFlush();
  await provider.shutdown();
}

const SEEN = `SELECT Stream, ParseStatus, DvcHostname, TargetUsername, ActorUsername, EventSeverity, Raw,
  toString(Ext.ScopeVersion), toString(Ext.team), toString(Ext.list)
  FROM events WHERE Ext.ScopeName.:String = `;

describe('OTLP over HTTP', () => {
  it('[T-ways] takes what the official exporters send, in JSON and in protobuf, to the same rows', async () => {
    const headers = { authorization: `Bearer ${setup.token}` };
    const url = `${address}/v1/logs`;
    await emit(new HttpExporter({ url, headers }), 'json');
    await emit(new ProtoExporter({ url, headers, compression: 'gzip' as never }), 'proto');
    const rowsOf = async (service: string) => {
      const rows = await setup.rows(`${SEEN}'${service}' ORDER BY Raw`);
      return rows.map((row) => row.join(' | '));
    };
    const json = await rowsOf('json');
    expect(json).toMatchInlineSnapshot(`
      [
        "Authentication | PAD | srv1 | root |  | Informational | <38>Nov 22 07:47:06 srv1 sshd[2211]: Failed password for root from 185.1.2.3 port 55411 ssh2 | 1.2 |  | ",
        "Generic | NLF | otel-host |  |  | High | words that nobody knows | 1.2 | red | ['a','b']",
        "Generic | NLF | otel-host |  | ada |  | {"user.name":"ada","deep":{"er":[true,null]}} | 1.2 |  | ",
        "Generic | NLF | otel-host |  | eve |  | {"user.name":"eve"} | 1.2 |  | ",
      ]
    `);
    expect(await rowsOf('proto')).toEqual(json);
    expect(
      await setup.rows("SELECT toString(TimeGenerated) FROM events WHERE Raw LIKE 'words that%' LIMIT 1"),
    ).toEqual([['2026-01-03 04:05:06.007']]);
  });

  it('[T-ways] keeps a record that cannot be read as text beside the others, and says so', async () => {
    const levels = 9_000;
    const deep = `${'{"arrayValue":{"values":['.repeat(levels)}{"stringValue":"end"}${']}}'.repeat(levels)}`;
    const records = `{"body":{"stringValue":"good neighbour"}},{"body":${deep}},"no record",null`;
    const request = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${records}]}]}]}`;
    const answer = await setup.post('/v1/logs', gzipSync(request), {
      'content-type': 'application/json; charset=utf-8',
      'content-encoding': 'gzip',
    });
    expect(answer).toEqual({
      status: 200,
      body: {
        partialSuccess: {
          rejectedLogRecords: '0',
          errorMessage: '3 of 4 records could not be read and are kept as text',
        },
      },
    });
    expect(await setup.count("Raw = 'good neighbour'")).toBe(1);
    expect(
      await setup.rows(
        "SELECT length(Raw), toString(Ext.IngestMarks) FROM events WHERE ParseStatus = 'PER' ORDER BY Raw",
      ),
    ).toMatchInlineSnapshot(`
      [
        [
          11,
          "['no-time']",
        ],
        [
          4,
          "['no-time']",
        ],
        [
          252030,
          "['too-deep','no-time']",
        ],
      ]
    `);
  });

  it('[T-ways] refuses in the words of google.rpc.Status what is no export, has no token or an unknown form', async () => {
    const json = { 'content-type': 'application/json' };
    expect(await setup.post('/v1/logs', '{"resourceLogs":', json)).toMatchObject({
      status: 400,
      body: { code: 3, message: expect.stringContaining('not JSON') },
    });
    expect((await setup.post('/v1/logs', '[]', json)).status).toBe(400);
    expect(await setup.post('/v1/logs', '{}', { ...json, authorization: '' })).toMatchObject({
      status: 401,
      body: { code: 16 },
    });
    const broken = await setup.test.ingestApp.inject({
      method: 'POST',
      url: '/v1/logs',
      payload: Buffer.from('ff0102', 'hex'),
      headers: { authorization: `Bearer ${setup.token}`, 'content-type': 'application/x-protobuf' },
    });
    expect([broken.statusCode, broken.headers['content-type']]).toEqual([400, 'application/x-protobuf']);
    const form = await setup.test.ingestApp.inject({
      method: 'POST',
      url: '/v1/logs',
      payload: 'x',
      headers: { authorization: `Bearer ${setup.token}`, 'content-type': 'text/csv' },
    });
    expect(form.statusCode).toBe(415);
    expect(await setup.counts()).toMatchObject({ refused_malformed: 3, 'refused_unknown-form': 1 });
  });
});

describe('OTLP over gRPC', () => {
  const target = () => `127.0.0.1:${setup.feature.work.ports().otlpGrpc}`;
  const bearer = (token: string) => {
    const metadata = new grpc.Metadata();
    metadata.set('authorization', `Bearer ${token}`);
    return metadata;
  };
  const call = (bytes: Buffer, metadata: grpc.Metadata) =>
    new Promise<{ code: number; details: string; answer?: string }>((resolve) => {
      const client = new grpc.Client(target(), grpc.credentials.createInsecure());
      client.makeUnaryRequest(
        '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
        (value: Buffer) => value,
        (value: Buffer) => value,
        bytes,
        metadata,
        (error, answer) => {
          client.close();
          resolve({
            code: error?.code ?? 0,
            details: error?.details ?? '',
            ...(answer === undefined ? {} : { answer: answer.toString('hex') }),
          });
        },
      );
    });

  it('[T-ways] takes what the official exporter sends', async () => {
    const metadata = bearer(setup.token);
    await emit(new GrpcExporter({ url: `http://${target()}`, metadata }), 'grpc');
    expect(await setup.count("Ext.ScopeName.:String = 'grpc'")).toBe(4);
  });

  it('[T-ways] refuses by status what has no token, is no export or is too large', async () => {
    expect(await call(Buffer.alloc(0), new grpc.Metadata())).toMatchObject({
      code: grpc.status.UNAUTHENTICATED,
    });
    expect((await call(Buffer.alloc(0), bearer('tyr_notatokenatall'))).code).toBe(
      grpc.status.UNAUTHENTICATED,
    );
    expect(await call(Buffer.alloc(0), bearer(setup.token))).toEqual({ code: 0, details: '', answer: '' });
    expect((await call(Buffer.from('ff01', 'hex'), bearer(setup.token))).code).toBe(
      grpc.status.INVALID_ARGUMENT,
    );
    const large = await call(Buffer.alloc(5 * 1024 * 1024), bearer(setup.token));
    expect(large.code).toBe(grpc.status.RESOURCE_EXHAUSTED);
    await setup.feature.sources.flush();
    expect(await setup.counts()).toMatchObject({ 'refused_too-large': 1 });
  });
});
