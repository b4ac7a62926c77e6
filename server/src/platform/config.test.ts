import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

describe('the configuration', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'tyrian-config-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = (text: string) => {
    const name = path.join(folder, 'tyrian.env');
    writeFileSync(name, text);
    return name;
  };

  it('needs nothing', () => {
    expect(readConfig({ PATH: '/bin' })).toMatchObject({
      bind: '127.0.0.1',
      port: 9500,
      ingestPort: 8088,
      syslogPort: 5514,
      syslogTlsPort: 6514,
      otlpGrpcPort: 4317,
      forwardPort: 24224,
      gelfPort: 12201,
      spoolLimitBytes: 2 * 1024 ** 3,
      dataFolder: undefined,
      trustedProxies: [],
      tls: undefined,
    });
  });

  it('lists no network for connections that users ask for until the operator does', () => {
    expect(readConfig({}).outgoingAllow).toEqual([]);
    expect(readConfig({ TYRIAN_OUTGOING_ALLOW: '10.1.0.0/16, fd00::1' }).outgoingAllow).toEqual([
      { address: '10.1.0.0', prefix: 16, family: 'ipv4' },
      { address: 'fd00::1', prefix: 128, family: 'ipv6' },
    ]);
  });

  it('takes a file, and the environment before it', () => {
    const name = file('# ours\n\nTYRIAN_PORT = 1234\nTYRIAN_BIND="0.0.0.0"\n');
    expect(readConfig({ TYRIAN_CONFIG: name })).toMatchObject({ port: 1234, bind: '0.0.0.0' });
    expect(readConfig({ TYRIAN_CONFIG: name, TYRIAN_PORT: '99' })).toMatchObject({ port: 99 });
  });

  it.each([
    [{ TYRIAN_PORT: 'abc' }, /TYRIAN_PORT/],
    [{ TYRIAN_PORT: '70000' }, /TYRIAN_PORT/],
    [{ TYRIAN_OUTGOING_ALLOW: '10.0.0.0/8,idp.example' }, /OUTGOING_ALLOW: idp\.example is no network/],
    [{ TYRIAN_CLICKHOUSE_CLUSTER: 'main' }, /CLICKHOUSE_CLUSTER needs TYRIAN_CLICKHOUSE_URL/],
    [{ TYRIAN_CLICKHOUSE_URL: 'http://a:8123,http://b:8123' }, /several addresses/],
    [{ TYRIAN_PROT: '1' }, /TYRIAN_PROT is not a setting.*TYRIAN_PORT/],
    [{ TYRIAN_POSTGRES_URL: 'mysql://x' }, /TYRIAN_POSTGRES_URL/],
    [{ TYRIAN_CLICKHOUSE_URL: 'tcp://x' }, /TYRIAN_CLICKHOUSE_URL/],
    [{ TYRIAN_ADMIN_EMAIL: 'nobody' }, /TYRIAN_ADMIN_EMAIL/],
    [{ TYRIAN_ADMIN_PASSWORD: 'short' }, /TYRIAN_ADMIN_PASSWORD: must have at least 8/],
    [{ TYRIAN_TRUSTED_PROXIES: '10.0.0.1,proxy' }, /TYRIAN_TRUSTED_PROXIES: must be .*found: proxy/],
    [{ TYRIAN_TLS_CERT: '/x' }, /TYRIAN_TLS_CERT and TYRIAN_TLS_KEY belong together/],
    [{ TYRIAN_LOG_LEVEL: 'loud' }, /TYRIAN_LOG_LEVEL/],
    [{ TYRIAN_CONFIG: '/nowhere/at/all' }, /TYRIAN_CONFIG: cannot read/],
  ])('refuses %j clearly', (env, message) => {
    expect(() => readConfig(env)).toThrow(message);
  });

  it('says where a line of the file is wrong', () => {
    expect(() => readConfig({ TYRIAN_CONFIG: file('TYRIAN_PORT=1\nport: 2\n') })).toThrow(
      /tyrian.env:2: expected/,
    );
  });

  it('tells every mistake at once', () => {
    expect(() => readConfig({ TYRIAN_PORT: 'a', TYRIAN_INGEST_PORT: 'b' })).toThrow(
      /TYRIAN_PORT.*\n.*TYRIAN_INGEST_PORT/,
    );
  });
});
