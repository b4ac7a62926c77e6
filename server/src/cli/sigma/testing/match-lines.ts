import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '../../run-command.ts';

export interface SigmaAnswer {
  readonly id: unknown;
  readonly fired: readonly { readonly rule: number; readonly event: number }[];
  readonly refused: readonly { readonly rule: number; readonly reason: string }[];
  readonly error?: string;
}

/** What `tyrian sigma match` answers to lines; a line that is a text is written as it is. */
export async function matchLines(lines: readonly unknown[]): Promise<readonly SigmaAnswer[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tyrian-sigma-test-'));
  const [batch, out] = [path.join(folder, 'in.jsonl'), path.join(folder, 'out.jsonl')];
  try {
    await writeFile(
      batch,
      lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    );
    const code = await runCommand(['sigma', 'match', '--batch', batch, '--out', out], {});
    if (code !== 0) throw new Error(`sigma match ended with ${code}`);
    const text = await readFile(out, 'utf8');
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as SigmaAnswer);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
