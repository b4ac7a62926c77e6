import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type SenderSetup, senderSetup } from '../features/ingest/testing/sender-setup.ts';
import { importCommand } from './import-command.ts';

let setup: SenderSetup;
let folder: string;
let url: string;

beforeAll(async () => {
  setup = await senderSetup();
  url = await setup.test.ingestApp.listen({ host: '127.0.0.1', port: 0 });
  folder = mkdtempSync(path.join(tmpdir(), 'tyrian-import-'));
});
afterAll(async () => {
  await setup.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Told of what takes longer than half a second. */
const RATE = /, \d+\/s/;

/** Imports and answers what was printed, but for how fast it was. */
async function imported(name: string, content: string | Buffer, ...more: string[]): Promise<string> {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  try {
    expect(
      await importCommand.run({ args: [file, '--url', url, '--token', setup.token, ...more], env: {} }),
    ).toBe(0);
  } finally {
    write.mockRestore();
  }
  return printed.join('').replace(`${folder}/`, '').replace(RATE, '').trim();
}

it('imports lines, packed or not, in chunks, once however often it is started', async () => {
  const lines = Array.from({ length: 60_000 }, (_, n) => JSON.stringify({ n, pad: 'x'.repeat(60) })).join(
    '\n',
  );
  const packed = gzipSync(lines);
  expect(await imported('big.ndjson.gz', packed)).toContain('60000 events stored');
  expect(await imported('big.ndjson.gz', packed)).toBe(
    'big.ndjson.gz: 0 events stored (60000 were there already)',
  );
  const where = "SourceName = 'big.ndjson.gz'";
  expect(await setup.rows(`SELECT count(), uniqExact(Ext.n.:Int64) FROM events WHERE ${where}`)).toEqual([
    [60_000, 60_000],
  ]);
  expect(await imported('big.ndjson.gz', gzipSync('{"n":1}'), '--again')).toContain('1 events stored');
});

it('imports JSON documents, CSV and plain logs', async () => {
  expect(await imported('list.json', JSON.stringify([{ a: 1 }, { a: 2 }], null, 2))).toContain(
    '2 events stored',
  );
  const trail = { eventSource: 's', eventName: 'e', awsRegion: 'r', eventTime: '2026-01-01T00:00:00Z' };
  expect(await imported('trail.json', JSON.stringify({ Records: [trail, trail] }))).toContain(
    '2 events stored',
  );
  expect(await imported('one.json', JSON.stringify({ pretty: true }, null, 2))).toContain('1 events stored');
  expect(await imported('table.csv', 'src_ip,text\n192.0.2.1,"a, ""b""\nc"\n192.0.2.2,d\n')).toContain(
    '2 events stored',
  );
  expect(
    await setup.rows(
      "SELECT SrcIpAddr, toString(Ext.text) FROM events WHERE SourceName = 'table.csv' ORDER BY SrcIpAddr",
    ),
  ).toEqual([
    ['192.0.2.1', 'a, "b"\nc'],
    ['192.0.2.2', 'd'],
  ]);
  expect(await imported('words.log', 'first line\nsecond line')).toBe(
    'words.log: 2 events stored (2 of unknown form)',
  );
});

it('says what is wrong', async () => {
  const run = (...args: string[]) => importCommand.run({ args, env: { TYRIAN_DATA: folder } });
  await expect(run()).rejects.toThrow('at least one file');
  await expect(run('/no/such/file')).rejects.toThrow('no such file');
  writeFileSync(path.join(folder, 'x.log'), 'x');
  await expect(run(path.join(folder, 'x.log'))).rejects.toThrow('no server runs');
  await expect(
    run(path.join(folder, 'x.log'), '--url', url, '--token', 'tyr_wrongwrongwrong'),
  ).rejects.toThrow('unknown token');
});
