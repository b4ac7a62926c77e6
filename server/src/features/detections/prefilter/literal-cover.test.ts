import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../../engines/testing/index.ts';
import { coverOf } from '../rule-cover.ts';
import { type DetectionBench, detectionBench } from '../testing/detection-bench.ts';
import { literalCoverOf } from './literal-cover.ts';
import { listsOf } from './literal-lists.ts';
import { type Literal, type Need, rarest } from './literal-need.ts';
import { literalProbes } from './literal-probe.ts';

// The literals that a rule needs, read off its plan.

let platform: TestPlatform;
let clusterId: string;
let bench: DetectionBench;
beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
  bench = detectionBench(platform, clusterId);
});
afterAll(() => platform.close());

async function partsOf(kql: string) {
  const cover = coverOf(await bench.planOf(kql));
  return cover && literalCoverOf(cover.parts);
}

/** `a | b`: one of them; `(…) & (…)`: both; a whole text has `=` before it. */
function shown(need: Need): string {
  if (need.kind === 'literals')
    return need.literals.map(({ value, isWhole }) => `${isWhole ? '=' : ''}${value}`).join(' | ');
  return need.needs.map((each) => `(${shown(each)})`).join(need.kind === 'all' ? ' & ' : ' | ');
}

describe('the literals that a rule needs', () => {
  it.each([
    ["CommandLine contains 'Alpha'", 'alpha'],
    ["CommandLine contains 'Alpha' and ProcessName endswith '\\\\x.exe'", '(alpha) & (\\x.exe)'],
    ["CommandLine contains 'alpha' or ProcessName =~ 'Beta'", 'alpha | =beta'],
    ["CommandLine contains 'alpha' and not(CommandLine contains 'beta')", 'alpha'],
    ["CommandLine !contains 'alpha'", null],
    ["CommandLine contains 'alpha' or CommandLine !contains 'beta'", null],
    ["CommandLine contains 'alpha' or strlen(CommandLine) > 100", null],
    ["CommandLine contains 'ab'", null],
    ["CommandLine == ''", null],
    ["ProcessName in~ ('One', 'Two')", '=one | =two'],
    ['EventID in (1, 2)', '=1 | =2'],
    ["CommandLine has 'task.exe'", '.exe'],
    ["CommandLine matches regex '(?i)masks+end'", 'end'],
    ["CommandLine matches regex 'masks+end'", '(masks) & (end)'],
    ["CommandLine contains 'stra\u00DFe'", 'tra'],
    ["CommandLine contains 'kilo\u00DF'", null],
    ["CommandLine contains '\u{1F600}'", '\u{1F600}'],
    ["CommandLine contains 'k\u{1F600}\uFE0F'", '\u{1F600}\uFE0F'],
    ["CommandLine contains '0\uFE0F\u20E3'", '0\uFE0F\u20E3'],
    ["CommandLine contains_cs '\u{1F600}\u00C9'", '\u{1F600}'],
    ["CommandLine contains '\u24B6\u24B7'", null],
    ["CommandLine contains '\u0410\u0411\u0412'", null],
    ["CommandLine contains '\u00A9'", '\u00A9'],
  ])('%s', async (condition, expected) => {
    const parts = await partsOf(`ProcessEvent | where ${condition}`);
    expect(parts?.map(({ need }) => shown(need)).join(' ; ') ?? null).toBe(expected);
    if (parts) expect(parts[0]?.streams).toEqual(['ProcessEvent']);
  });

  it('are asked of stored columns where a rule names one, and of fields of the tenant otherwise', async () => {
    const both = await partsOf(
      "Events | where tostring(Ext.a) contains 'alpha' and CommandLine contains 'beta'",
    );
    expect(both?.map(({ need }) => shown(need))).toEqual(['beta']);
    const one = await partsOf(
      "Events | where tostring(Ext.a) contains 'alpha' and EventType == 'process creation'",
    );
    expect(one?.map(({ need }) => shown(need))).toEqual(['(alpha) & (=process creation)']);
    expect(one?.[0]?.streams).toBe(null);
    const named = await partsOf("Events | where Stream in ('Dns', 'Syslog') and Message contains 'alpha'");
    expect(named?.[0]?.streams).toEqual(['Dns', 'Syslog']);
  });

  it('are those that the fewest events hold', async () => {
    const parts = await partsOf(
      "ProcessEvent | where CommandLine contains 'alpha' and (ProcessName =~ 'beta' or ProcessName =~ 'gamma')",
    );
    const need = parts?.[0]?.need;
    if (!need) throw new Error('the rule has no literals');
    const byHits = (hits: Readonly<Record<string, number>>) => rarest(need, ({ value }) => hits[value] ?? 0);
    expect(byHits({ alpha: 7, beta: 3, gamma: 3 })).toMatchObject({ hits: 6 });
    expect(byHits({ alpha: 5, beta: 3, gamma: 3 }).literals.map(({ value }) => value)).toEqual(['alpha']);
    expect(byHits({ alpha: 5 }).hits).toBe(0);
  });
});

describe('what the engine is asked for', () => {
  const manyLiterals = async (count: number): Promise<Literal[]> => {
    const parts = await partsOf("ProcessEvent | where CommandLine contains 'like'");
    const [like] = parts?.flatMap(({ need }) => (need.kind === 'literals' ? need.literals : [])) ?? [];
    if (!like) throw new Error('the rule has no literal');
    return Array.from({ length: count }, (_, at) => {
      const value = `literal number ${at}`;
      return { ...like, value, key: value };
    });
  };

  it('[R-E2] changes in one list of many when one rule comes or goes', async () => {
    const literals = await manyLiterals(9_000);
    const before = listsOf(literals).map((list) => JSON.stringify(list.literals.map(({ value }) => value)));
    const after = listsOf(literals.slice(1)).map((list) =>
      JSON.stringify(list.literals.map(({ value }) => value)),
    );
    expect(before.length).toBeGreaterThan(4);
    expect(after.filter((list) => !before.includes(list))).toHaveLength(1);
  });

  it('[R-E2] is parted into passes of bounded size, which name each literal once', async () => {
    const probes = literalProbes(await manyLiterals(90_000));
    expect(probes.length).toBeGreaterThan(1);
    expect(Math.max(...probes.map(({ literals }) => literals.length))).toBeLessThanOrEqual(20_000);
    const literals = probes.flatMap((probe) => probe.literals);
    expect(literals).toHaveLength(90_000);
    expect(new Set(literals.map(({ value }) => value)).size).toBe(90_000);
  });
});
