import fs from 'node:fs';
import path from 'node:path';
import { compileKql, eventSchema } from '@tyrian/kql';
import { type CompiledRule, judgeSigma, kqlOf, readSigma, sigmaLibrary } from '@tyrian/sigma';
import { describe, expect, it } from 'vitest';

// A rule opens in Find as KQL. That text compiles to the plan that the rule itself compiles to.

const schema = eventSchema([]);
const corpus = path.resolve(import.meta.dirname, '../../../../../shared/corpora/sigma-rules.jsonl');

/** Both plans of the rules in a text; nothing for rules that do not run. */
function plansOf(text: string): readonly (readonly [rule: unknown, kql: unknown])[] {
  const read = readSigma(text);
  const library = sigmaLibrary(read);
  return read.flatMap((one) => {
    const verdict = judgeSigma(one, library, {});
    const compiled = verdict.verdict === 'runs' ? (verdict.compiled as CompiledRule) : null;
    const kql = compiled && kqlOf(compiled);
    if (!compiled || !kql) return [];
    const asked = compileKql(kql, { schema, now: new Date(0), unknownColumns: 'error' });
    return [[compiled.plan, asked.ok ? asked.plan : asked.diagnostics] as const];
  });
}

const rule = (detection: string, logSource: string): string =>
  `title: R\nlogsource: {${logSource}}\ndetection:\n  s:\n    ${detection}\n  condition: s\n`;
const SECURITY = 'product: windows, service: security';

describe('a rule as KQL', () => {
  it.each([
    ['texts of every kind', "CommandLine: ['a', 'b*', '*c', '*d*', 'e*f', '', 'quote\"\\\\']", SECURITY],
    ['cased texts', "CommandLine|contains|cased: 'A'", SECURITY],
    ['numbers and EventIDs that guard a column', "EventID: [4624, 4625]\n    TargetUserName: 'x'", SECURITY],
    ['networks and comparisons', "IpAddress|cidr: '10.0.0.0/8'\n    ProcessId|gte: 4", SECURITY],
    [
      'parts of a time',
      'TimeGenerated|hour: 3\n    TimeGenerated|minute: 1\n    TimeGenerated|week: 2',
      SECURITY,
    ],
    ['fields against each other', 'SubjectUserName|fieldref: TargetUserName', SECURITY],
    ['paths and names with blanks', "a.b: 'x'\n    Some Name: 'y'\n    type: 'z'", 'product: okta'],
    ['control characters', "CommandLine|wide: 'ab'", SECURITY],
    [
      'hundreds of values',
      `CommandLine|contains: [${Array.from({ length: 450 }, (_, n) => `'v${n}'`).join(',')}]`,
      SECURITY,
    ],
  ])('[T-sigma] %s compile to the same plan', (_, detection, logSource) => {
    const [plans] = plansOf(rule(detection, logSource));
    expect(plans).toBeDefined();
    expect(plans?.[1]).toEqual(plans?.[0]);
  });

  it.skipIf(!fs.existsSync(corpus))(
    '[T-sigma] rules of SigmaHQ compile to the same plan',
    { timeout: 180_000 },
    () => {
      const lines = fs.readFileSync(corpus, 'utf8').trim().split('\n');
      const some = lines.filter((_, at) => at % 10 === 0);
      const plans = some.flatMap((line) => plansOf((JSON.parse(line) as { yaml: string }).yaml));
      expect(plans.length).toBeGreaterThan(some.length * 0.95);
      expect(plans.filter(([own, asked]) => JSON.stringify(own) !== JSON.stringify(asked))).toEqual([]);
    },
  );
});
