import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CompiledRule, judgeSigma, kqlOf, readSigma, sigmaLibrary, type Verdict } from './index.ts';
import { conditionOf, ruleText, verdictOf } from './testing/rule-text.ts';

const RULE = ruleText("s:\n  CommandLine: 'a'\n  FileVersion: 'b'\ncondition: s");

describe('verdicts', () => {
  it('[T-sigma] a rule runs, and says what each field became by which table', () => {
    const verdict = verdictOf(RULE);
    expect(verdict.verdict === 'runs' && verdict.compiled).toMatchObject({
      mapping: 'windows-process-creation',
      streams: ['ProcessEvent'],
      fields: [
        {
          field: 'CommandLine',
          table: 'windows-event-data',
          sources: [{ kind: 'column', name: 'CommandLine' }],
        },
        { field: 'FileVersion', table: 'ext', sources: [{ kind: 'ext', path: ['FileVersion'] }] },
      ],
    });
  });

  it('[T-sigma] a field that no event has is missing, once that is known', () => {
    expect(verdictOf(RULE, { extPaths: new Set(['Company']) })).toMatchObject({
      verdict: 'missing field',
      fields: ['FileVersion'],
    });
    expect(verdictOf(RULE, { extPaths: new Set(['FileVersion']) }).verdict).toBe('runs');
  });

  it('[T-sigma] a source without events or without a mapping is missing', () => {
    expect(verdictOf(RULE, { streams: new Set(['Dns']) }).verdict).toBe('missing source');
    expect(verdictOf(RULE, { streams: new Set(['ProcessEvent']) }).verdict).toBe('runs');
    const other = ruleText("s: {a: 'b'}\ncondition: s", 'product: toaster');
    expect(verdictOf(other)).toMatchObject({ verdict: 'missing source', code: 'SIG300' });
  });

  it('[T-sigma] a column that differs by EventID is read for those events alone', () => {
    expect(
      conditionOf("s: {TargetUserName: 'x'}\ncondition: s", 'product: windows, service: security'),
    ).toContain('not(EventID in (4727, ');
  });

  it('[T-sigma] a filter is added to the rules that it names', () => {
    const rule = RULE.replace('title: A rule', 'title: A rule\nname: one');
    const filter = `title: F\nlogsource: {product: windows, category: process_creation}
filter:\n  rules: [one]\n  own: {User|startswith: adm_}\n  condition: not own\n`;
    const verdict = verdictOf(`${rule}---\n${filter}`);
    expect(verdict.verdict === 'runs' && kqlOf(verdict.compiled as CompiledRule)).toContain(
      'ActorUsername startswith "adm_"',
    );
    const [alone] = readSigma(filter);
    expect(alone && judgeSigma(alone, sigmaLibrary([alone]), {})).toMatchObject({
      verdict: 'invalid',
      code: 'SIG150',
    });
  });
});

const corpus = path.resolve(import.meta.dirname, '../../../../shared/corpora/sigma-rules.jsonl');

describe.skipIf(!fs.existsSync(corpus))('the rules of SigmaHQ', () => {
  it('[T-sigma] 98 of 100 run where the sources are there, at most 5 of 1,000 are not supported', {
    timeout: 120_000,
  }, () => {
    const lines = fs.readFileSync(corpus, 'utf8').trim().split('\n');
    const read = lines.flatMap((line) => readSigma((JSON.parse(line) as { yaml: string }).yaml));
    const library = sigmaLibrary(read);
    const counts = new Map<Verdict, number>();
    for (const one of read) {
      const { verdict } = judgeSigma(one, library, {});
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    }
    expect(counts.get('runs') ?? 0).toBeGreaterThanOrEqual(read.length * 0.98);
    expect(counts.get('unsupported') ?? 0).toBeLessThanOrEqual(read.length * 0.005);
    expect(counts.get('invalid') ?? 0).toBe(0);
  });
});
