import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as contract from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countTransactions } from '../../engines/testing/count-transactions.ts';
import { type DetectionApp, detectionApp } from '../detections/testing/detection-app.ts';
import { judgeAgain } from './rule-upkeep.ts';
import {
  archiveOf,
  importPack,
  rulesOf,
  runImportJob,
  sendArchive,
  windowsRule,
} from './testing/rule-imports.ts';

// Packs over time: what an update changes and keeps, who sees them, and what an archive may not do.

const T0 = Date.UTC(2026, 2, 4, 10);
const ID = (n: number) => `id: 0f06a3a5-6a09-413f-8743-e6cf35561e8${n}\n`;
let app: DetectionApp;

beforeAll(async () => {
  app = await detectionApp(T0);
  await app.store([{ time: T0, columns: { EventVendor: 'Microsoft', EventType: 'ProcessCreated' } }]);
});
afterAll(() => app?.test.close());

const byTitle = async (title: string) => (await rulesOf(app)).find((rule) => rule.title === title);

describe('an update of a pack', () => {
  it('[T-rules] tells what is new, changed and gone, and keeps what the scope has changed', async () => {
    const first = await importPack(app, {
      'a.yml': windowsRule('First', "CommandLine|contains: 'one'", ID(1)),
      'b.yml': windowsRule('Second', "CommandLine|contains: 'two'", ID(2)),
      'c.yml': windowsRule('Third', "CommandLine|contains: 'three'", ID(3)),
    });
    expect(first.changes).toEqual({ new: 3 });
    const rule = await byTitle('First');
    const rule_id = rule?.rule_id ?? '';
    const third = (await byTitle('Third'))?.rule_id ?? '';
    const overlay = {
      stage: 'beta',
      level: 'low',
      exceptions: [{ field: 'ActorUsername', values: ['svc"backup'], reason: 'nightly' }],
    };
    const saved = await app.call(contract.saveRuleOverlay, { rule_id, overlay, revision: 0 });
    expect(saved.data).toEqual({ revision: 1 });
    await app.call(contract.switchRules, { rule_ids: [rule_id, third], enabled: true });
    const again = await importPack(app, {
      'moved/a.yml': windowsRule('First, better', "CommandLine|contains: 'uno'", ID(1)),
      'b.yml': windowsRule('Second', "CommandLine|contains: 'two'", ID(2)),
      'd.yml': windowsRule('Fourth', "CommandLine|contains: 'four'", ID(4)),
    });
    expect(again.changes).toEqual({ new: 1, changed: 1, gone: 1 });
    const { import_id } = again;
    const { data } = await app.call(contract.listRuleChanges, { import_id });
    expect(data.data.map(({ change, title }) => [change, title])).toEqual([
      ['changed', 'First, better'],
      ['gone', 'Third'],
      ['new', 'Fourth'],
    ]);
    const read = (await app.call(contract.readPackRule, { rule_id })).data;
    expect(read).toMatchObject({
      title: 'First, better',
      version: 2,
      enabled: true,
      stage: 'beta',
      authors: 'Somebody Else',
      licence: 'DRL',
      overlay: { level: 'low', exceptions: [{ field: 'ActorUsername' }] },
    });
    expect(read.versions.map(({ version }) => version)).toEqual([2, 1]);
    expect(read.kql).toContain('uno');
    expect(read.kql).toContain('| where not(tostring(ActorUsername) =~ "svc\\"backup")');
  });

  it('[T-rules] keeps what runs though the pack no longer holds it, until it is switched off', async () => {
    const third = (await byTitle('Third'))?.rule_id ?? '';
    expect(await byTitle('Third')).toMatchObject({ is_gone: true, enabled: true });
    expect(
      (await importPack(app, { 'b.yml': windowsRule('Second', "CommandLine|contains: 'two'", ID(2)) }))
        .changes,
    ).toEqual({ gone: 2 });
    await app.call(contract.switchRules, { rule_ids: [third], enabled: false });
    await importPack(app, { 'b.yml': windowsRule('Second', "CommandLine|contains: 'two'", ID(2)) });
    expect(await byTitle('Third')).toBeUndefined();
  });

  it('[T-rules] writes nothing where nothing has changed', async () => {
    const files = { 'x.yml': windowsRule('Same', "CommandLine: 'x'", ID(7)) };
    await importPack(app, files, { pack: 'Same' });
    const before = await byTitle('Same');
    app.test.platform.clock.advance(60_000);
    expect((await importPack(app, files, { pack: 'Same' })).changes).toEqual({});
    expect(await byTitle('Same')).toEqual(before);
  });

  it('[T-rules] refuses a change of a rule that is based on an older one, and one that could not run', async () => {
    const rule_id = (await byTitle('Same'))?.rule_id ?? '';
    const save = (overlay: object, revision: number) =>
      app.call(contract.saveRuleOverlay, { rule_id, overlay, revision });
    expect((await save({ stage: 'dev' }, 3)).http).toBe(409);
    expect((await save({ schedule: { mode: 'scheduled', cron: 'soon' } }, 0)).http).toBe(422);
    const threshold = { count: 3, minutes: 10, field: 'DvcHostname' };
    expect((await save({ threshold }, 0)).http).toBe(200);
    const { kql } = (await app.call(contract.readPackRule, { rule_id })).data;
    expect(kql).toContain('where Events >= 3');
  });
});

/** Rules that cost whoever reads them without bounds. */
const HOSTILE_FILES: Readonly<Record<string, string | Uint8Array>> = {
  'bomb.yml': `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
    .split('')
    .map((name, at) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(9)}]`)
    .join('\n')}\n`,
  'encode.yml': windowsRule(
    'encode',
    `CommandLine|base64offset|contains: [${Array.from({ length: 100_000 }, (_, at) => `v${at}`).join(',')}]`,
  ),
  'explodes.yml': windowsRule('explodes', "CommandLine|re: '((a{100}){100}){100}'"),
  'cyclic.yml': ['a', 'b']
    .map(
      (name, at) =>
        `title: ${name}\nname: ${name}\ncorrelation:\n  type: event_count\n  rules: [${'ba'[at]}]\n  group-by: [User]\n  timespan: 5m\n  condition: {gte: 1}\n`,
    )
    .join('---\n'),
};

describe('verdicts of an import', () => {
  it('[T-rules] name what the tenant lacks, what is refused and what is no rule', async () => {
    const source = (text: string) =>
      windowsRule('x', "CommandLine: 'x'").replace(/logsource: .*/, `logsource: ${text}`);
    const report = await importPack(
      app,
      {
        'runs.yml': windowsRule('runs', "CommandLine: 'x'"),
        'field.yml': windowsRule('lacks a field', "NoSuchField: 'x'"),
        'source.yml': source('{product: linux, category: dns_query}').replace(
          'title: x',
          'title: lacks a source',
        ),
        'refused.yml': windowsRule('refused', "CommandLine|re: '(?=x)'"),
        'broken.yml': 'title: "',
        'deep.yml': `title: deep\nx: ${'['.repeat(100)}`,
        'long.yml': `# ${'x'.repeat(10 * 1024 * 1024)}`,
        'bytes.yml': new Uint8Array([0xff, 0xfe, 0x00, 0x41]),
        ...HOSTILE_FILES,
        'notes.txt': 'no rule',
      },
      { pack: 'Verdicts' },
    );
    expect(report.verdicts).toEqual({
      runs: 1,
      'missing field': 1,
      'missing source': 1,
      unsupported: 3,
      invalid: 7,
    });
    const pack_id = report.pack_id;
    const field = (await rulesOf(app, { pack_id, verdict: 'missing field' }))[0];
    const detail = (await app.call(contract.readPackRule, { rule_id: field?.rule_id })).data;
    expect(detail.fields).toEqual([
      expect.objectContaining({ field: 'NoSuchField', sources: ['Ext.NoSuchField'], is_missing: true }),
    ]);
    const silent = (await rulesOf(app, { pack_id, verdict: 'missing source' }))[0];
    const there = (await app.call(contract.readPackRule, { rule_id: silent?.rule_id })).data;
    expect(there.missing_streams).toEqual(['Dns']);
    const counts = (await app.call(contract.countRules, { pack_id })).data;
    expect(counts.total).toBe(13);
    expect(counts.verdicts).toContainEqual({ name: 'invalid', count: 7 });
    expect(counts.tactics).toEqual([{ name: 'execution', count: 3 }]);
    const switched = await app.call(contract.switchRules, { filter: { pack_id }, enabled: true });
    expect(switched.data).toEqual({ switched: 3, skipped: 10 });
    await app.call(contract.switchRules, { filter: { pack_id }, enabled: false });
  });

  it('[T-rules] follow what the tenant has by now', async () => {
    const { a } = app.company;
    await app.store([{ time: T0, stream: 'Dns', columns: { DnsQuery: 'x' } }]);
    const { postgres } = app.test.platform;
    const reachOf = async () => ({
      version: 'other',
      streams: new Set(['ProcessEvent', 'Dns']),
      extPaths: new Set(['NoSuchField']),
    });
    expect(await judgeAgain({ postgres, reachOf }, a.clusterId)).toBe(2);
    expect((await rulesOf(app, { text: 'lacks' })).map(({ verdict }) => verdict)).toEqual(['runs', 'runs']);
    expect(await judgeAgain({ postgres, reachOf }, a.clusterId)).toBe(0);
  });
});

describe('packs of tenants', () => {
  it('[T-rules] are seen by their tenant alone, though their texts are kept once', async () => {
    const { a, b } = app.company;
    const files = { 'x.yml': windowsRule('Shared text', "CommandLine: 'shared'") };
    const ofB = { role: 'engineerOfB', where: { clusterId: b.clusterId, scopeId: b.scope } } as const;
    await importPack(app, files, { pack: 'Shared' });
    const own = (await byTitle('Shared text'))?.rule_id ?? '';
    const hashes = (clusterId: string) =>
      app.test.platform.postgres.inTenant(clusterId, async (trx) => {
        const { rows } = await sql<{ n: number }>`select count(*) as n from rule_text
          where body like '%Shared text%'`.execute(trx);
        return rows[0]?.n;
      });
    expect(await hashes(b.clusterId)).toBe(0);
    expect(await rulesOf(app, {}, ofB)).toEqual([]);
    expect((await app.call(contract.readPackRule, { rule_id: own }, 'engineerOfB', ofB.where)).http).toBe(
      404,
    );
    const stolen = await app.call(
      contract.switchRules,
      { rule_ids: [own], enabled: true },
      'engineerOfB',
      ofB.where,
    );
    expect(stolen.http).toBe(404);
    const report = await importPack(app, files, { ...ofB, pack: 'Shared' });
    // The same answer as if nobody had the text.
    expect(report.changes).toEqual({ new: 1 });
    expect(await hashes(b.clusterId)).toBe(1);
    const [theirs] = await rulesOf(app, {}, ofB);
    expect(theirs?.rule_id).not.toBe(own);
    const { rows } = await sql<{ n: number }>`select count(*) as n from rule_text
      where body like '%Shared text%'`.execute(app.test.platform.postgres.platform);
    expect(rows[0]?.n).toBe(1);
    const { import_id } = report;
    expect((await app.call(contract.readRuleImport, { import_id })).http).toBe(404);
    expect(await hashes(a.clusterId)).toBe(1);
  });

  it('[T-rules] are changed by engineers; analysts look', async () => {
    const rule_id = (await byTitle('Shared text'))?.rule_id ?? '';
    expect((await app.call(contract.readPackRule, { rule_id }, 'analyst')).http).toBe(200);
    expect(
      (await app.call(contract.switchRules, { rule_ids: [rule_id], enabled: true }, 'analyst')).http,
    ).toBe(403);
    expect((await app.call(contract.beginRuleImport, { pack: 'x' }, 'analyst')).http).toBe(403);
  });

  it('[T-rules] are removed with their rules, but not while one of them is on', async () => {
    const rule = await byTitle('Shared text');
    const [rule_ids, pack_id] = [[rule?.rule_id], rule?.pack_id];
    await app.call(contract.switchRules, { rule_ids, enabled: true });
    expect((await app.call(contract.removeRulePack, { pack_id })).http).toBe(409);
    await app.call(contract.switchRules, { rule_ids, enabled: false });
    expect((await app.call(contract.removeRulePack, { pack_id })).data).toEqual({ pack_id, rules: 1 });
    expect(await byTitle('Shared text')).toBeUndefined();
  });
});

describe('upkeep', () => {
  it('[T-rules] removes texts that no rule names any more, and no other', async () => {
    const { postgres } = app.test.platform;
    const count = async (word: string) => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from rule_text
        where body like ${`%${word}%`}`.execute(postgres.platform);
      return rows[0]?.n;
    };
    const files = { 'x.yml': windowsRule('Short lived', "CommandLine: 'x'") };
    const { pack_id } = await importPack(app, files, { pack: 'Short' });
    await app.call(contract.removeRulePack, { pack_id });
    const job = app.test.composed.jobs.find(({ kind }) => kind === 'rule-upkeep');
    const { signal } = new AbortController();
    const run = () => job?.run({}, { clusterId: null, signal, progress: async () => undefined });
    await run();
    expect(await count('Short lived')).toBe(1);
    await sql`update rule_text set touched_at = now() - interval '2 days'`.execute(postgres.platform);
    await run();
    expect(await count('Short lived')).toBe(0);
    expect(await count('title: Same')).toBe(1);
  });
});

describe('archives', () => {
  it.each([
    ['that are none', Buffer.from('PK\u0003\u0004 and nothing more')],
    ['without a rule', archiveOf({ 'readme.md': '# Rules' })],
    ['nested too deep', archiveOf({ [`${'a/'.repeat(40)}x.yml`]: 'title: x' })],
    [
      'with too many files',
      archiveOf(Object.fromEntries(Array.from({ length: 20_001 }, (_, n) => [`${n}.txt`, '']))),
    ],
  ])('[T-rules] %s fail the import with a reason', async (_, archive) => {
    const report = await importPack(app, archive, { pack: 'Hostile' });
    expect(report.state).toBe('failed');
    expect(report.error).not.toBe('');
    expect(report.messageCode).toMatch(/^packs\.archive/);
  });

  it('[T-rules] that unpack to more than an import takes are refused before they are unpacked', async () => {
    const zeros = archiveOf({ 'a.yml': new Uint8Array(contract.IMPORT_LIMITS.unpackedBytes + 1) });
    expect(zeros.length).toBeLessThan(contract.IMPORT_LIMITS.unpackedBytes / 100);
    const report = await importPack(app, zeros, { pack: 'Hostile' });
    expect(report).toMatchObject({ state: 'failed', messageCode: 'packs.archiveTooLarge' });
  });

  it('[T-rules] may name files outside of themselves, which are labels alone', async () => {
    await importPack(
      app,
      { '../../etc/x.yml': windowsRule('Outside', "CommandLine: 'x'") },
      { pack: 'Hostile' },
    );
    const rule_id = (await byTitle('Outside'))?.rule_id;
    expect((await app.call(contract.readPackRule, { rule_id })).data.path).toBe('etc/x.yml');
  });
});

describe('an import that is stopped', () => {
  it('[T-rules] ends as cancelled and leaves its archive nowhere; parts out of turn are refused', async () => {
    const import_id = await sendArchive(
      app,
      archiveOf({ 'x.yml': windowsRule('Stopped', "CommandLine: 'x'") }),
      {
        pack: 'Stopped',
      },
    );
    const part = await app.call(contract.sendRuleImportPart, { import_id, part: 1, bytes: 'AAAA' });
    expect(part.http).toBe(409);
    const signal = AbortSignal.abort('canceled');
    const { a } = app.company;
    await expect(runImportJob(app, a.clusterId, import_id, { signal })).rejects.toBe('canceled');
    const { data } = await app.call(contract.readRuleImport, { import_id });
    expect(data.state).toBe('canceled');
    const left = await app.test.platform.postgres.inTenant(a.clusterId, async (trx) => {
      const { rows } = await sql`select from rule_import_part`.execute(trx);
      return rows.length;
    });
    expect(left).toBe(0);
    expect(await byTitle('Stopped')).toBeUndefined();
  });
});

const corpus = path.resolve(import.meta.dirname, '../../../../../../shared/corpora/sigma-rules.jsonl');

describe.skipIf(!existsSync(corpus))('all rules of SigmaHQ', () => {
  it('[T-rules] are imported, listed by pages, switched, and imported again without a write', {
    timeout: 240_000,
  }, async () => {
    const rules = readFileSync(corpus, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { path: string; yaml: string });
    const archive = archiveOf(Object.fromEntries(rules.map((rule) => [rule.path, rule.yaml])));
    const timed = async (what: string, work: () => Promise<unknown>) => {
      const begun = performance.now();
      await work();
      console.info(
        `${what}: ${Math.round(performance.now() - begun)} ms, ${Math.round(process.memoryUsage().heapUsed / 1e6)} MB of heap`,
      );
    };
    let report: contract.RuleImport | undefined;
    await timed('import', async () => {
      const work = () => importPack(app, archive, { pack: 'SigmaHQ' });
      const { result, transactions } = await countTransactions(work);
      report = result;
      console.info(`${transactions} transactions, calls and their sessions included`);
      expect(transactions).toBeLessThan(rules.length / 20);
    });
    console.info(JSON.stringify({ archive: archive.length, ...report?.verdicts }));
    expect(Object.values(report?.verdicts ?? {}).reduce((sum, n) => sum + n, 0)).toBe(rules.length);
    const pack_id = report?.pack_id ?? '';
    await timed('again', async () => {
      expect((await importPack(app, archive, { pack: 'SigmaHQ' })).changes).toEqual({});
    });
    await timed('page', () => rulesOf(app, { pack_id, verdict: 'runs', sort: 'level', order: 'desc' }));
    await timed('count', () => app.call(contract.countRules, { pack_id }));
    await timed('switch on', async () => {
      const { data } = await app.call(contract.switchRules, { filter: { pack_id }, enabled: true });
      expect(data.switched).toBeGreaterThan(3_700);
    });
    await timed('switch off', () => app.call(contract.switchRules, { filter: { pack_id }, enabled: false }));
  });
});
