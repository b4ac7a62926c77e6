import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openScratchQueries } from '../server/src/features/search/scratch-queries.ts';
import { END, median, START, TENANT } from './made-events.ts';

// How soon a cancelled query is gone from the engine, beside the engine's own KILL QUERY.
//
//   node --import tsx bench/cancel-query.ts [rounds, 9]
//
// Both count for years until they are stopped; in turns. The time runs from the call that cancels until the engine no
// longer lists the query. The claim is that the longest of ours is at most 500 ms on a machine that does nothing else.

const ROUNDS = Number(process.argv[2] ?? 9);
const ENDLESS = 'range x from 1 to 9999999999999999 step 2 | summarize sum(x % 7)';

const { events, queries, close } = await openScratchQueries('tyrian-bench-', TENANT);

const isRunning = async (queryId: string): Promise<boolean> => {
  const found = await events.systemRows<{ n: string }>(
    'SELECT toString(count()) AS n FROM system.processes WHERE startsWith(query_id, {queryId:String})',
    { queryId },
  );
  return found[0]?.n !== '0';
};

async function until(queryId: string, wanted: boolean): Promise<void> {
  while ((await isRunning(queryId)) !== wanted) await sleep(5);
}

/** Milliseconds from cancelling to the end on the engine. */
async function measure(stop: (queryId: string, own: AbortController) => void): Promise<number> {
  const queryId = `cancel-${randomUUID()}`;
  const own = new AbortController();
  const running = queries
    .run({
      clusterId: TENANT,
      scopes: ['main'],
      kql: ENDLESS,
      timeRange: { from: START, to: END },
      queue: 'interactive',
      queryId,
      signal: own.signal,
    })
    .catch(() => undefined);
  await until(queryId, true);
  const began = performance.now();
  stop(queryId, own);
  await until(queryId, false);
  const took = performance.now() - began;
  await running;
  return took;
}

try {
  const ours: number[] = [];
  const byHand: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await measure((_queryId, own) => own.abort()));
    byHand.push(
      await measure((queryId) => {
        void events.command(TENANT, `KILL QUERY WHERE startsWith(query_id, '${queryId}') ASYNC`);
      }),
    );
  }
  const line = (name: string, all: readonly number[]): string =>
    `${name.padEnd(20)}median ${median(all).toFixed(0)} ms, longest ${Math.max(...all).toFixed(0)} ms\n`;
  process.stdout.write(`${line('cancelled', ours)}${line('KILL QUERY', byHand)}`);
  process.stdout.write(`ratio of the medians ${(median(ours) / median(byHand)).toFixed(2)}\n`);
} finally {
  await close();
}
