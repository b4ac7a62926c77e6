import { type BenchTarget, called, openBenchServer } from './bench-server.ts';
import { END, makeEvents, median, ranked, START, timed } from './made-events.ts';

// What the overview of a tenant takes while that tenant downloads all its events, beside the same overview without the
// download, in turns in one run.
//
//   node --import tsx bench/overview-during-download.ts [events, 5000000] [samples, 40]
//
// The claim is that the 95th percentile is at most 1.3 times that of the quiet ones.

const EVENTS = Number(process.argv[2] ?? 5_000_000);
const SAMPLES = Number(process.argv[3] ?? 40);
const ROUNDS = 4;
/** So long a download runs before its first sample. */
const WARM_UP_MS = 1_500;

const overview = async (target: BenchTarget): Promise<number> => {
  const asked = { scope_id: target.scope, start: START, end: END };
  const { data } = await called<{ data: { totals: { events: number } } }>(target, 'overview', asked);
  return data.totals.events;
};

/** Starts the download of everything; answers how to end it, which tells the bytes that came. */
async function download({ address, clusterId, scope, ssid }: BenchTarget): Promise<() => Promise<number>> {
  const stop = new AbortController();
  const answer = await fetch(`${address}/${clusterId}/wrk/api/search/export`, {
    method: 'POST',
    headers: { ssid, 'content-type': 'application/json' },
    body: JSON.stringify({ scope_id: scope, query: 'Events', from: START, to: END, format: 'ndjson' }),
    signal: stop.signal,
  });
  if (!answer.ok || !answer.body) throw new Error(`the download was refused: ${answer.status}`);
  let bytes = 0;
  let isWhole = false;
  const read = (async () => {
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
    isWhole = true;
  })().catch(() => undefined);
  return async () => {
    if (isWhole) throw new Error('the download ended before the samples: make more events');
    stop.abort();
    await read;
    return bytes;
  };
}

const { target, eventStore, close } = await openBenchServer();
try {
  await makeEvents(eventStore, EVENTS, target);
  const quiet: number[] = [];
  const busy: number[] = [];
  const sample = async (into: number[]): Promise<void> => {
    for (let index = 0; index < SAMPLES / ROUNDS; index += 1) {
      const { ms, rows } = await timed(() => overview(target));
      if (rows !== EVENTS) throw new Error(`the overview counts ${rows} events of ${EVENTS}`);
      into.push(ms);
    }
  };
  await overview(target);
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    await sample(quiet);
    const end = await download(target);
    await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
    await sample(busy);
    bytes += await end();
  }
  const line = (name: string, values: readonly number[]): string =>
    `${name.padEnd(20)}median ${median(values).toFixed(0).padStart(6)} ms   p95 ${ranked(values, 0.95).toFixed(0).padStart(6)} ms\n`;
  process.stdout.write(line('without download', quiet));
  process.stdout.write(line('during download', busy));
  process.stdout.write(`ratio of p95 ${(ranked(busy, 0.95) / ranked(quiet, 0.95)).toFixed(2)}`);
  process.stdout.write(`, ${(bytes / 1024 ** 2).toFixed(0)} MiB came meanwhile\n`);
} finally {
  await close();
}
