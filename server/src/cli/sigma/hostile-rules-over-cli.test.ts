import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCommand } from '../run-command.ts';
import { HOSTILE_RULES } from './testing/hostile-rule-table.ts';
import { matchLines } from './testing/match-lines.ts';
import { windowsRecord } from './testing/sigma-case.ts';

const GOOD =
  'title: Good\nlogsource: {product: windows, category: process_creation}\ndetection: {s: {CommandLine|contains: whoami}, condition: s}\n';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tyrian-hostile-'));
  for (const [at, { text }] of HOSTILE_RULES.entries())
    await writeFile(path.join(folder, `${String(at).padStart(3, '0')}.yml`), text);
  await writeFile(path.join(folder, 'good.yml'), GOOD);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function printed(args: readonly string[]): Promise<string> {
  let said = '';
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += text;
    return true;
  });
  try {
    expect(await runCommand([...args], {})).toBe(0);
  } finally {
    out.mockRestore();
  }
  return said;
}

describe('hostile rules', () => {
  it('[T-sigma] get a verdict each from `sigma check`, and the rule beside them runs', async () => {
    const lines = (await printed(['sigma', 'check', '--json', folder]))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { file: string; verdict: string; reason?: string });
    const verdictOf = (name: string) =>
      lines.filter(({ file }) => path.basename(file) === name).map(({ verdict }) => verdict);
    for (const [at, { name, verdict }] of HOSTILE_RULES.entries()) {
      const verdicts = new Set(verdictOf(`${String(at).padStart(3, '0')}.yml`));
      expect([name, ...verdicts]).toEqual([name, verdict]);
    }
    expect(verdictOf('good.yml')).toEqual(['runs']);
    expect(lines.every(({ verdict, reason }) => verdict === 'runs' || (reason ?? '') !== '')).toBe(true);
  }, 120_000);

  it('[T-sigma] harm no rule beside them in `sigma match`, nor a line with others', async () => {
    const texts = HOSTILE_RULES.map(({ text }) =>
      typeof text === 'string' ? text : Buffer.from(text).toString('latin1'),
    );
    const events = [
      windowsRecord(1, { CommandLine: `whoami ${'a'.repeat(20_000)}` }),
      windowsRecord(1, { CommandLine: 'other' }),
    ];
    const [first, second, third] = await matchLines([
      { id: 'all', rules: [...texts, GOOD], events },
      '{"id": "broken", "rules": [',
      { id: 'good', rules: [GOOD], events },
    ]);
    const good = texts.length;
    expect(first?.fired.filter(({ rule }) => rule === good)).toEqual([{ rule: good, event: 0 }]);
    const refused = new Set(first?.refused.map(({ rule }) => rule));
    for (const [at, { verdict, text }] of HOSTILE_RULES.entries())
      if (typeof text === 'string') expect([at, refused.has(at)]).toEqual([at, verdict !== 'runs']);
    expect(second?.error).toBeDefined();
    expect(third).toEqual({ id: 'good', fired: [{ rule: 0, event: 0 }], refused: [] });
  }, 240_000);
});
