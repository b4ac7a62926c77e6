import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type SenderSetup, senderSetup } from '../features/ingest/testing/sender-setup.ts';
import { importCommand } from './import-command.ts';

// `tyrian import` of whole event files: real telemetry when it lies beside the checkout, and files made here that
// look like it. What the store counts must equal what the files say.

const SHARED = fileURLToPath(new URL('../../../../shared/data/events', import.meta.url));

let setup: SenderSetup;
let folder: string;
let url: string;

beforeAll(async () => {
  setup = await senderSetup();
  url = await setup.test.ingestApp.listen({ host: '127.0.0.1', port: 0 });
  folder = mkdtempSync(path.join(tmpdir(), 'tyrian-import-files-'));
});
afterAll(async () => {
  await setup.close();
  rmSync(folder, { recursive: true, force: true });
});

const CHANNELS = ['Security', 'Microsoft-Windows-Sysmon/Operational', 'Windows PowerShell'] as const;

/** Windows events as agents write them, with what makes files hard: long texts, letters of all kinds, CR LF. */
function windowsLines(count: number, end: string): string {
  return Array.from({ length: count }, (_, n) => {
    const text = n % 40 === 0 ? 'long '.repeat(3_000) : `Müller “${n}” 日本\\n`;
    return `{"EventID":${1 + ((n * 7) % 23)},"Channel":"${CHANNELS[n % 3]}","TimeCreated":"2025-03-0${1 + (n % 9)}T10:00:00.000Z","EventRecordID":${n},"Message":"${text}"}${end}`;
  }).join('');
}

const auditLines = Array.from(
  { length: 500 },
  (_, n) => `type=EXECVE msg=audit(1740000000.${100 + (n % 900)}:${n}): argc=2 a0="arp" a1="-a"`,
).join('\n');
const cloudLines = Array.from({ length: 300 }, (_, n) =>
  JSON.stringify({
    eventSource: 's3.amazonaws.com',
    eventName: 'GetObject',
    awsRegion: 'eu-central-1',
    eventTime: '2025-03-01T00:00:00Z',
    eventID: `${n}`,
  }),
).join('\n');

const MADE: Readonly<Record<string, string | Buffer>> = {
  'windows.ndjson': windowsLines(9_000, '\n'),
  'windows-crlf.ndjson.gz': gzipSync(windowsLines(2_000, '\r\n')),
  'audit.auditd.log.gz': gzipSync(auditLines),
  'cloud.ndjson.gz': gzipSync(`${cloudLines}\n`),
};

/** Every file with its bytes, read when its turn comes. */
const FILES: readonly (readonly [name: string, read: () => Buffer])[] = [
  ...Object.entries(MADE).map(([name, content]) => [name, () => Buffer.from(content)] as const),
  ...(existsSync(SHARED) ? readdirSync(SHARED) : [])
    .filter((name) => name.endsWith('.gz'))
    .map((name) => [name, () => readFileSync(path.join(SHARED, name))] as const),
];

/** How many events of each EventID and channel there are; a line that is no JSON has neither. */
function countsOf(lines: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of lines) {
    const event = (line.startsWith('{') ? JSON.parse(line) : {}) as Record<string, unknown>;
    // Sysmon for Linux says both inside of its message, the table Event of Log Analytics calls the channel a log.
    const inner = String(event.SyslogMessage ?? '');
    const id = event.EventID ?? /<EventID>(\d+)/.exec(inner)?.[1] ?? null;
    const key = `${id} ${event.Channel ?? event.EventLog ?? /<Channel>([^<]*)/.exec(inner)?.[1] ?? ''}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** Imports a file and answers what was printed. */
async function imported(file: string): Promise<string> {
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  try {
    expect(await importCommand.run({ args: [file, '--url', url, '--token', setup.token], env: {} })).toBe(0);
  } finally {
    write.mockRestore();
  }
  return printed.join('');
}

for (const [name, read] of FILES) {
  it(`imports every event of ${name}, once`, async () => {
    const bytes = read();
    const file = path.join(folder, name);
    writeFileSync(file, bytes);
    const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
    const lines = text.split(/\r?\n/).filter((line) => line !== '');
    expect(await imported(file)).toContain(`: ${lines.length} events stored`);
    expect(await imported(file)).toContain(`(${lines.length} were there already)`);
    const rows = await setup.rows(
      `SELECT EventID, Channel, count() FROM events WHERE SourceName = '${name}' GROUP BY EventID, Channel`,
    );
    const stored = Object.fromEntries(
      rows.map(([id, channel, count]) => [`${id} ${channel}`, Number(count)]),
    );
    expect(stored).toEqual(countsOf(lines));
    expect(
      await setup.rows(
        `SELECT countIf(ParseStatus = 'PER'), uniqExact(Raw) FROM events WHERE SourceName = '${name}'`,
      ),
    ).toEqual([[0, new Set(lines).size]]);
  });
}
