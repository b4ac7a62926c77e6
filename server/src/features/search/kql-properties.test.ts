import { readFileSync } from 'node:fs';
import { printQuery } from '@tyrian/clickhouse-sql';
import { compileKql, eventSchema } from '@tyrian/kql';
import { type Plan, passesFor, scopeToTenant, validatePlan, visitPlan } from '@tyrian/plan';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

// What must hold for every query: the compiler answers, no literal of the query is in the SQL, every scan is tied.

const schema = eventSchema([{ stream: 'Dns', path: 'RuleName', type: 'string' }]);
const now = new Date('2026-01-01T00:00:00Z');
const options = { schema, now, unknownColumns: 'warn' } as const;
const boundary = { database: 'tenant_canary', scopes: ['scopeone', 'scopetwo'], maxRows: 100 };

const word = fc.constantFrom(
  'Events',
  'Dns',
  '|',
  'where',
  'extend',
  'summarize',
  'by',
  'project',
  'count()',
  'join',
  'kind=inner',
  '(',
  ')',
  'on',
  'SrcIpAddr',
  'DnsQuery',
  '==',
  'has',
  '"x"',
  '1',
  '1d',
  'ago(1h)',
  'let',
  'x',
  '=',
  ';',
  'union',
  'mv-expand',
  'Ext.a.b',
  '[0]',
  'sort',
  'take',
  '10',
  'tostring(',
  'dynamic([1])',
  'search',
  "'",
  '"',
  '{',
  '}',
  'parse',
  'with',
  '*',
  'arg_max(',
  ',',
  '-',
  'null',
  'datetime(',
  'bin(',
  '//',
  'externaldata',
  'datatable(a:long)[1]',
  'print',
);

const literal = fc.stringMatching(/^zq[a-z0-9]{6,12}zq$/);

const query = fc.tuple(literal, literal, fc.integer({ min: 1, max: 1000 })).map(
  ([one, two, count]) =>
    `let T = Dns | where DnsQuery has "${one}" and Raw contains "${two}" and Ext.k == "${one}";
     T | extend a = strcat("${two}", SrcIpAddr), b = extract("(${one})", 1, Raw), d = dynamic({"${one}": "${two}"})
     | summarize n = count(), s = make_set(a) by b, bin(TimeGenerated, 1h)
     | join kind=leftouter (union Events, ProcessEvent | where CommandLine in~ ("${one}", "${two}")
        | summarize m = dcount(SrcIpAddr) by b = ActorUsername) on b
     | where b in ((Events | where Message startswith "${one}" | project ActorUsername))
     | where n > toscalar(Dns | summarize count()) | top ${count} by n`,
);

const scansOf = (plan: Plan) => {
  const found: Extract<Plan['root'], { kind: 'scan' }>[] = [];
  visitPlan(plan.root, (node) => {
    if (node.kind === 'scan') found.push(node);
  });
  return found;
};

describe('every query', () => {
  it('gets an answer, never an exception, whatever its text', () => {
    const text = fc.oneof(
      fc.string(),
      fc.array(word, { maxLength: 25 }).map((words) => words.join(' ')),
    );
    fc.assert(
      fc.property(text, (kql) => {
        const result = compileKql(kql, options);
        if (!result.ok) {
          expect(result.diagnostics.some((one) => one.severity === 'error')).toBe(true);
          expect(result.diagnostics.every((one) => one.span.start <= one.span.end)).toBe(true);
          expect(result.diagnostics.map((one) => one.code)).not.toContain('TYR199');
        } else printQuery(scopeToTenant(result.plan, boundary));
      }),
      { numRuns: 300 },
    );
  }, 120_000);

  it('keeps its literals out of the SQL text and ties each of its scans to tenant and scopes', () => {
    fc.assert(
      fc.property(query, (kql) => {
        const result = compileKql(kql, options);
        if (!result.ok) throw new Error(result.diagnostics.map((one) => one.message).join('; '));
        const scoped = scopeToTenant(result.plan, boundary);
        const scans = scansOf(scoped);
        expect(scans.length).toBeGreaterThanOrEqual(5);
        for (const scan of scans) {
          expect(scan.boundary?.database).toBe('tenant_canary');
          expect(scan.boundary?.scopes).toEqual(['scopeone', 'scopetwo']);
        }
        const printed = printQuery(scoped);
        expect(printed.sql).not.toMatch(/zq[a-z0-9]{6,12}zq/);
        const reads = printed.sql.match(
          /FROM `tenant_canary`\.`events`\nWHERE \(`Scope` IN \{p\d+:Array\(String\)\}\)/g,
        );
        expect(printed.sql.match(/`events`/g)?.length).toBe(reads?.length);
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  it('stays sound after each pass', () => {
    fc.assert(
      fc.property(query, (kql) => {
        const result = compileKql(kql, options);
        if (!result.ok) throw new Error('refused');
        let plan = result.plan;
        expect(validatePlan(plan)).toEqual([]);
        for (const pass of passesFor(boundary)) {
          plan = pass.run(plan);
          expect({ pass: pass.name, faults: validatePlan(plan) }).toEqual({ pass: pass.name, faults: [] });
        }
      }),
      { numRuns: 5 },
    );
  }, 60_000);

  it('answers deep and long texts with a diagnostic or a plan', () => {
    const texts = [
      `print ${'('.repeat(3000)}1${')'.repeat(3000)}`,
      `Dns ${'| where DnsQuery == "x" '.repeat(1000)}`,
      `Dns | where ${Array.from({ length: 500 }, (_, index) => `DnsQuery == "${index}"`).join(' or ')}`,
      'x'.repeat(70_000),
    ];
    for (const text of texts)
      expect(compileKql(text, options).diagnostics.map((one) => one.code)).not.toContain('TYR199');
  }, 60_000);
});

describe('refusals', () => {
  const file = new URL('../../../../packages/kql/corpus/errors.jsonl', import.meta.url);
  const cases = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { title: string; query: string; code: string });
  for (const one of cases)
    it(`names ${one.title}`, () => {
      const result = compileKql(one.query, options);
      expect(result.ok).toBe(false);
      expect(result.diagnostics.find((found) => found.severity === 'error')?.code).toBe(one.code);
    });

  it('takes an unknown column as a field below Ext with a warning, or refuses it when asked to', () => {
    const lenient = compileKql('Dns | where Nmae == "x"', options);
    expect(lenient.ok).toBe(true);
    expect(lenient.diagnostics[0]).toMatchObject({
      code: 'TYR131',
      severity: 'warning',
      span: { start: 12, end: 16 },
    });
    const strict = compileKql('Dns | where Nmae == "x"', { ...options, unknownColumns: 'error' });
    expect(strict.ok).toBe(false);
  });
});
