import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SenderSetup, senderSetup } from './testing/sender-setup.ts';

// Real telemetry through every protocol, when it lies beside the checkout. What the store counts must equal what
// the files say.

const FOLDER = fileURLToPath(new URL('../../../../../shared/data/events', import.meta.url));
const FILES = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.gz')) : [];

let setup: SenderSetup;

beforeAll(async () => {
  setup = await senderSetup();
});
afterAll(() => setup.close());

type Send = (lines: readonly string[], source: string) => Promise<{ status: number }>;

const asEvent = (line: string): unknown => (line.startsWith('{') ? JSON.parse(line) : line);

const PROTOCOLS: Readonly<Record<string, Send>> = {
  hec: (lines, source) =>
    setup.post(
      '/services/collector/event',
      // The text of the line, not a copy through JSON.parse: what is stored must be what was in the file.
      lines
        .map((line) => `{"source":"${source}","event":${line.startsWith('{') ? line : JSON.stringify(line)}}`)
        .join(''),
    ),
  raw: (lines, source) => setup.post(`/services/collector/raw?source=${source}`, lines.join('\n')),
  ndjson: (lines, source) => setup.post(`/ingest/ndjson?source=${source}`, lines.join('\n')),
  bulk: (lines, source) =>
    setup.post(
      `/${source}/_bulk`,
      lines.map((line) => `{"create":{}}\n${line.startsWith('{') ? line : JSON.stringify(line)}\n`).join(''),
    ),
};

/** How many events of each EventID and channel there are. */
function countsOf(lines: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of lines) {
    const event = asEvent(line) as Record<string, unknown>;
    // Sysmon for Linux says both inside of its message, the table Event of Log Analytics calls the channel a log.
    const inner = String(event.SyslogMessage ?? '');
    const id = event.EventID ?? /<EventID>(\d+)/.exec(inner)?.[1] ?? null;
    const key = `${id} ${event.Channel ?? event.EventLog ?? /<Channel>([^<]*)/.exec(inner)?.[1] ?? ''}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

describe.skipIf(FILES.length === 0)('shared event files', () => {
  for (const file of FILES) {
    for (const protocol of Object.keys(PROTOCOLS)) {
      it(`stores every event of ${file} through ${protocol}`, async () => {
        const text = gunzipSync(readFileSync(`${FOLDER}/${file}`)).toString();
        const lines = text.split('\n').filter((line) => line !== '');
        const source = `${protocol}-${file.replace(/\W/g, '_').toLowerCase()}`;
        expect((await PROTOCOLS[protocol]?.(lines, source))?.status).toBe(200);
        const where = protocol === 'bulk' ? `Ext.index.:String = '${source}'` : `SourceName = '${source}'`;
        const rows = await setup.rows(
          `SELECT EventID, Channel, count() FROM events WHERE ${where} GROUP BY EventID, Channel`,
        );
        const stored = Object.fromEntries(
          rows.map(([id, channel, count]) => [`${id} ${channel}`, Number(count)]),
        );
        expect(stored).toEqual(countsOf(lines));
        const [bad] = await setup.rows(
          `SELECT countIf(ParseStatus = 'PER'), countIf(abs(dateDiff('day', TimeGenerated, IngestedTime)) < 30), uniqExact(Raw) FROM events WHERE ${where}`,
        );
        expect(bad?.slice(0, 2)).toEqual([0, 0]);
        if (protocol !== 'bulk') expect(bad?.[2]).toBe(new Set(lines).size);
      });
    }
  }
});
