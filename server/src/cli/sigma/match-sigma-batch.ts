import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { openScratchQueries, type ScratchQueries } from '../../features/search/scratch-queries.ts';
import { UsageError } from '../command.ts';
import { matchRules } from './match-rules.ts';
import { storeEvents } from './store-sigma-events.ts';

// `sigma match`: the events of a line lie in a scope of their own, so lines never see each other's events.

const TENANT = 'scratch';
/** Lines that are worked on at once; further lines are read when one of them is done. */
const AT_ONCE = 2;

interface MatchedLine {
  readonly id: unknown;
  readonly fired: readonly { readonly rule: number; readonly event: number }[];
  readonly refused: readonly { readonly rule: number; readonly reason: string }[];
  readonly error?: string;
}

/** Matches all lines of the file `batch` and writes the answers to `out`, in their order; resolves with the exit code. */
export async function matchSigmaBatch(batch: string, out: string): Promise<number> {
  if (path.resolve(batch) === path.resolve(out)) throw new UsageError('--out is the batch itself.');
  const input = await open(batch);
  const output = await open(out, 'w');
  try {
    const scratch = await openScratchQueries('tyrian-sigma-', TENANT);
    try {
      await answerLines(scratch, batch, output);
    } finally {
      await scratch.close();
    }
  } finally {
    await Promise.all([input.close(), output.close()]);
  }
  return 0;
}

async function answerLines(scratch: ScratchQueries, batch: string, output: FileHandle): Promise<void> {
  const lines = createInterface({ input: createReadStream(batch), crlfDelay: Number.POSITIVE_INFINITY });
  const pending: Promise<MatchedLine>[] = [];
  const writeFirst = async (): Promise<void> => {
    const answer = await pending.shift();
    if (answer) await output.write(`${JSON.stringify(answer)}\n`);
  };
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    if (pending.length >= AT_ONCE) await writeFirst();
    pending.push(answerLine(scratch, line, number));
  }
  while (pending.length > 0) await writeFirst();
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
