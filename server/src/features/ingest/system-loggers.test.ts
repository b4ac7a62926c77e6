import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSignedCertificate } from '../../platform/http/testing/self-signed-certificate.ts';
import { type IngestFeature, ingestFeature } from './ingest-feature.ts';
import { type SenderSetup, senderSetup } from './testing/sender-setup.ts';

// The loggers of Debian, rsyslog and syslog-ng, over UDP, TCP and TLS. Each follows a file and forwards its lines. Where
// one is not installed its test is left out: `apt-get install rsyslog rsyslog-gnutls` or `apt-get install syslog-ng-core`.

const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const LINES = 300;

let setup: SenderSetup;
let feature: IngestFeature;
let folder: string;
let certificate: ReturnType<typeof selfSignedCertificate>;
const running: ChildProcess[] = [];

beforeAll(async () => {
  setup = await senderSetup();
  folder = mkdtempSync(path.join(tmpdir(), 'tyrian-loggers-'));
  certificate = selfSignedCertificate(folder);
  const { platform } = setup.test;
  const config = { ...platform.config, tls: certificate };
  feature = ingestFeature({ ...platform, config }, { audit: setup.company.identity.audit });
  await setup.giveNetworks('127.0.0.1/32');
  const { clusterId, scope: scopeId } = setup.company.a;
  const networks = ['127.0.0.1/32'];
  await feature.sources.create({ clusterId, scopeId, name: 'near', kind: 'syslog', networks, by: null });
  await feature.work.start();
});
afterAll(async () => {
  await Promise.all(running.map(ended));
  await feature.work.stop();
  await setup.close();
  rmSync(folder, { recursive: true, force: true });
});

function ended(child: ChildProcess): Promise<unknown> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return gone;
}

/** Starts a logger on a folder of its own that holds its configuration and the file that it follows. */
function startLogger(
  name: string,
  configuration: (at: string) => string,
  args: (at: string) => string[],
): string {
  const at = path.join(folder, name);
  mkdirSync(at);
  const file = path.join(at, 'in.log');
  writeFileSync(file, '');
  writeFileSync(path.join(at, 'conf'), configuration(at));
  const [command = '', ...rest] = args(at);
  const child = spawn(command, rest, { stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr?.on('data', (said: Buffer) => process.stderr.write(`${name}: ${said.toString()}`));
  running.push(child);
  return file;
}

/** Appends lines until the first arrive, as a logger may open its file late; then the rest. */
async function follow(file: string, app: string): Promise<void> {
  const line = (n: number) => `sshd[${n}]: Failed password for root from 192.0.2.${n % 250} port ${n} ssh2\n`;
  appendFileSync(file, Array.from({ length: LINES }, (_, n) => line(n)).join(''));
  await expect.poll(() => arrived(app), { timeout: 60_000, interval: 500 }).toBe(LINES);
}

async function arrived(app: string): Promise<number> {
  const [[count] = []] = await setup.rows(`SELECT uniqExact(Raw) FROM events WHERE Raw LIKE '% ${app} %'`);
  return Number(count);
}

const WAYS = ['udp', 'tcp', 'tls'] as const;

function rsyslogConfiguration(at: string): string {
  const { udp, tcp, tls } = feature.work.ports().syslog;
  const port = { udp, tcp, tls };
  const action = (way: (typeof WAYS)[number]) => {
    const isTls = way === 'tls';
    const secured = 'StreamDriver="gtls" StreamDriverMode="1" StreamDriverAuthMode="anon"';
    return `template(name="${way}" type="string" string="<%PRI%>1 %TIMESTAMP:::date-rfc3339% near rsyslog-${way} - - - %msg%")
action(type="omfwd" target="127.0.0.1" port="${port[way]}" protocol="${way === 'udp' ? 'udp' : 'tcp'}"
  ${way === 'udp' ? '' : 'TCP_Framing="octet-counted"'} ${isTls ? secured : ''} template="${way}")`;
  };
  return `global(workDirectory="${at}" DefaultNetstreamDriverCAFile="${certificate.cert}")
module(load="imfile" PollingInterval="1" mode="polling")
input(type="imfile" File="${at}/in.log" Tag="in" Severity="info" Facility="auth")
${WAYS.map(action).join('\n')}
`;
}

function syslogNgConfiguration(at: string): string {
  const { udp, tcp, tls } = feature.work.ports().syslog;
  const port = { udp, tcp, tls };
  const destination = (way: (typeof WAYS)[number]) => {
    const line = `<38>1 \${ISODATE} near ng-${way} - - - \${MESSAGE}\\n`;
    const secured = way === 'tls' ? 'tls(peer-verify(optional-untrusted))' : '';
    return `destination d_${way} { network("127.0.0.1" port(${port[way]}) transport("${way}") template("${line}") ${secured}); };
log { source(s); destination(d_${way}); };`;
  };
  return `@version: 3.35
options { keep-hostname(yes); };
source s { file("${at}/in.log" follow-freq(1) flags(no-parse)); };
${WAYS.map(destination).join('\n')}
`;
}

describe('the loggers of Debian', () => {
  it.skipIf(!has('rsyslogd', '-v'))(
    '[T-ways] rsyslog forwards every line over UDP, TCP and TLS',
    async () => {
      const file = startLogger('rsyslog', rsyslogConfiguration, (at) => [
        'rsyslogd',
        ...['-n', '-f', `${at}/conf`, '-i', `${at}/pid`],
      ]);
      for (const way of WAYS) {
        if (way === 'udp') await follow(file, 'rsyslog-udp');
        else await expect.poll(() => arrived(`rsyslog-${way}`), { timeout: 60_000 }).toBe(LINES);
      }
      expect(
        await setup.rows(
          "SELECT DISTINCT Stream, DvcHostname, SourceName FROM events WHERE Raw LIKE '% rsyslog-tls %'",
        ),
      ).toEqual([['Syslog', 'near', 'near']]);
    },
  );

  it.skipIf(!has('syslog-ng', '--version'))(
    '[T-ways] syslog-ng forwards every line over UDP, TCP and TLS',
    async () => {
      const file = startLogger('syslog-ng', syslogNgConfiguration, (at) => [
        'syslog-ng',
        ...[
          '-F',
          '-f',
          `${at}/conf`,
          '-R',
          `${at}/persist`,
          '-p',
          `${at}/pid`,
          '-c',
          `${at}/ctl`,
          '--no-caps',
        ],
      ]);
      for (const way of WAYS) {
        if (way === 'udp') await follow(file, 'ng-udp');
        else await expect.poll(() => arrived(`ng-${way}`), { timeout: 60_000 }).toBe(LINES);
      }
    },
  );
});
