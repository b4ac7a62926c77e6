import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testRules } from './test-rules.ts';

// `rules test` over files of every form, on its own engine.

let folder: string;
const put = (name: string, text: string): string => {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'rules-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const EVENT = '{EventID: 1, Channel: Microsoft-Windows-Sysmon/Operational, CommandLine: whoami /all}';
const sigma = (id: string, condition: string, samples: string): string => `title: ${id}
id: ${id}
logsource: {product: windows, category: process_creation}
detection:
  s:
    CommandLine|contains: '${condition}'
  condition: s
${samples}`;
const SAMPLES = `samples:
  - {name: own name, expect: match, events: [${EVENT}]}
  - {name: another, expect: no match, events: ['{"EventID": 1, "CommandLine": "dir"}']}
`;

/** The exit code, and what was printed as JSON lines. */
async function tested(...paths: string[]): Promise<{ code: number; lines: Record<string, unknown>[] }> {
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    const code = await testRules(paths, true);
    const lines = written.join('').split('\n').filter(Boolean);
    return { code, lines: lines.map((line) => JSON.parse(line)) };
  } finally {
    spy.mockRestore();
  }
}

describe('rules test', () => {
  it('[T-samples] runs samples of Sigma rules, shipped detections, workbooks and regression_data', async () => {
    put('good/sigma.yml', sigma('one', 'whoami', SAMPLES));
    put('good/rules/two.yml', sigma('two', 'whoami', ''));
    const data = 'good/regression_data/rules/two';
    put(
      `${data}/info.yml`,
      'rule_metadata: [{id: two}]\nregression_tests_info: [{name: Positive, path: x/two.evtx, match_count: 1}]\n',
    );
    put(
      `${data}/two.json`,
      JSON.stringify({ EventID: 1, CommandLine: 'whoami', Channel: 'Microsoft-Windows-Sysmon/Operational' }),
    );
    put(
      'good/workbook.yaml',
      `name: W
blocks:
  - {block_id: q, type: kql, body: {query: 'ProcessEvent | where CommandLine has "whoami"'}}
  - {block_id: s, type: signal, body: {name: n}}
${SAMPLES}`,
    );
    const shipped = path.resolve('content/detections/psexec-use.yaml');
    const { code, lines } = await tested(path.join(folder, 'good'), shipped);
    expect(lines.filter(({ passed }) => passed !== true)).toEqual([]);
    expect(lines.length).toBeGreaterThanOrEqual(7);
    expect(lines.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['one', 'two', 'W']));
    expect(code).toBe(0);
  });

  it('[T-samples] ends with 1 when a sample fails, a rule does not run, or there is none', async () => {
    const wrong = await tested(put('wrong.yml', sigma('three', 'never', SAMPLES)));
    expect(wrong.code).toBe(1);
    expect(wrong.lines.map(({ matched, passed }) => [matched, passed])).toEqual([
      [false, false],
      [false, true],
    ]);
    const broken = await tested(
      put('broken.yml', sigma('four', 'x', SAMPLES).replace('condition: s', 'condition: t')),
    );
    expect(broken.code).toBe(1);
    expect(String(broken.lines[0]?.reason)).toMatch(/^invalid: /);
    expect((await tested(put('none.yml', sigma('five', 'x', '')))).code).toBe(1);
  });
});
