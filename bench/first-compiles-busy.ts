import { parseArgs } from 'node:util';
import { createKqlCompiler, type KqlCompiler } from '../server/src/features/search/kql-compiler.ts';
import { startBusyProcesses } from './busy-processes.ts';
import { evenly, pastedQueries } from './hunting-corpus.ts';
import { ranked } from './made-events.ts';
import { pause } from './start-bench-server.ts';

// Hunting queries that the compiler has never seen, one after the other as a person pastes them: on the machine as it
// is, and while other processes keep every processor busy. The claim: none is refused for time, however long it waits
// for the processor.
//
// Run: node --import tsx bench/first-compiles-busy.ts [--queries 500] [--busy 4] [--block 25] [--limit 1000]
//
// Each block of queries is compiled quiet by one compiler and then busy by another, so that both meet each text for the
// first time and the same minute of the machine. `--limit` is the milliseconds of its own work that a text may take:
// a small one shows that the bench notices refusals.

const { values } = parseArgs({
  options: {
    queries: { type: 'string', default: '500' },
    busy: { type: 'string', default: '4' },
    block: { type: 'string', default: '25' },
    limit: { type: 'string', default: '1000' },
  },
});
const BLOCK = Number(values.block);
const BUSY = Number(values.busy);
/** So long the machine gets used to other work before a block. */
const SETTLE_MS = 300;
const TOO_SLOW = 'TYR104';

/** What became of the texts of one kind of run. */
interface Compiles {
  readonly ms: number[];
  readonly forTime: string[];
  /** Texts that Tyrian refuses for what they say, which compiles to the end as well. */
  refused: number;
}

const none = (): Compiles => ({ ms: [], forTime: [], refused: 0 });

async function compileAll(compiler: KqlCompiler, texts: readonly string[], into: Compiles): Promise<void> {
  for (const text of texts) {
    const began = performance.now();
    const options = { schemaVersion: 'bench', extFields: [], nowMs: Date.now() };
    const told = await compiler.compile(text, options).catch((error: unknown) => String(error));
    into.ms.push(performance.now() - began);
    const codes = typeof told === 'string' ? [told] : told.ok ? [] : told.diagnostics.map(({ code }) => code);
    if (typeof told === 'string' || codes.includes(TOO_SLOW))
      into.forTime.push(`${codes[0]}: ${text.slice(0, 60)}`);
    else if (codes.length > 0) into.refused += 1;
  }
}

function figures(name: string, quiet: Compiles, busy: Compiles): string {
  const cell = (text: string): string => text.padStart(12);
  const rows = ([0.5, 0.95, 1] as const).map((share) => {
    const [q, b] = [ranked(quiet.ms, share), ranked(busy.ms, share)];
    const label = share === 1 ? 'longest' : share === 0.5 ? 'median' : 'p95';
    return label.padEnd(10) + [q.toFixed(1), b.toFixed(1), (b / q).toFixed(2)].map(cell).join('');
  });
  const each = busy.ms.map((ms, n) => ms / (quiet.ms[n] ?? ms));
  const pairs = `each text to its own quiet run: median ${ranked(each, 0.5).toFixed(2)}, p95 ${ranked(each, 0.95).toFixed(2)}`;
  const heads = `${' '.repeat(10)}${['quiet', name, 'ratio'].map(cell).join('')}`;
  return [heads, ...rows, pairs].join('\n');
}

const { from, queries } = pastedQueries();
const texts = evenly(queries, Number(values.queries));
const limitMs = Number(values.limit);
const [calm, pressed] = [createKqlCompiler({ limitMs }), createKqlCompiler({ limitMs })];
const [quiet, busy] = [none(), none()];
const others = startBusyProcesses(BUSY);
try {
  others.rest();
  // Both have started; the time of a start is no time of a text.
  for (const one of [calm, pressed]) await compileAll(one, ['print 1', 'print 2'], none());
  for (let at = 0; at < texts.length; at += BLOCK) {
    const block = texts.slice(at, at + BLOCK);
    others.rest();
    await pause(SETTLE_MS);
    await compileAll(calm, block, quiet);
    others.work();
    await pause(SETTLE_MS);
    await compileAll(pressed, block, busy);
  }
  const out = (text: string): boolean => process.stdout.write(`${text}\n`);
  out(`${texts.length} first compiles (of ${from}), quiet and beside ${BUSY} busy processes, in ms`);
  out(figures('busy', quiet, busy));
  for (const [name, one, compiler] of [
    ['quiet', quiet, calm],
    ['busy', busy, pressed],
  ] as const) {
    const mark = one.forTime.length > 0 ? ' !' : '';
    out(
      `${name}: refused for time ${one.forTime.length}${mark}, for what they say ${one.refused}; workers ended ${compiler.work().ended}`,
    );
    for (const told of one.forTime) out(`  ${told.replaceAll('\n', ' ')}`);
  }
  if (busy.forTime.length > 0) process.exitCode = 1;
} finally {
  others.end();
  await Promise.all([calm.close(), pressed.close()]);
}
