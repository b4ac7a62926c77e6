import { readFile, writeFile } from 'node:fs/promises';
import { openScratchQueries, type ScratchQueries } from '../../features/search/scratch-queries.ts';
import { fewAtATime } from '../../platform/few-at-a-time.ts';
import { matchRules } from './match-rules.ts';
import { storeEvents } from './store-sigma-events.ts';

// `sigma match`: the events of a line lie in a scope of their own, so lines never see each other's events.

const TENANT = 'scratch';

interface MatchedLine {
  readonly id: unknown;
  readonly fired: readonly { readonly rule: number; readonly event: number }[];
  readonly refused: readonly { readonly rule: number; readonly reason: string }[];
  readonly error?: string;
}

/** Matches all lines of the file `batch` and writes the answers to `out`; resolves with the exit code. */
export async function matchSigmaBatch(batch: string, out: string): Promise<number> {
  const lines = (await readFile(batch, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const scratch = await openScratchQueries('tyrian-sigma-', TENANT);
  try {
    const answers = await fewAtATime(lines, 2, (line, index) => answerLine(scratch, line, index + 1));
    await writeFile(out, answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
  } finally {
    await scratch.close();
  }
  return 0;
}

async function answerLine(scratch: ScratchQueries, line: string, number: number): Promise<MatchedLine> {
  let id: unknown = null;
  try {
    const parsed = JSON.parse(line) as { id?: unknown; rules?: unknown; events?: unknown };
    id = parsed.id ?? null;
    const { rules, events } = parsed;
    if (!Array.isArray(rules) || !Array.isArray(events))
      throw new Error(`line ${number} has no lists "rules" and "events"`);
    const target = { clusterId: TENANT, scope: `line-${number}` };
    const stored = await storeEvents(scratch.events, target, events);
    return { id, ...(await matchRules(scratch.queries, target, rules, stored)) };
  } catch (error) {
    return { id, fired: [], refused: [], error: (error as Error).message };
  }
}
