import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { addWorkbook, listRuleHealth, listSignals, type RuleHealthItem } from '@tyrian/contract';
import { hasCorpus } from '../server/src/features/detections/testing/corpus.ts';
import { detectionDraft } from '../server/src/features/detections/testing/detection-app.ts';
import { ruleWaits } from '../server/src/features/detections/testing/watch-queue.ts';
import { ANY_PORTS, readConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { servePromptly } from '../server/src/platform/serve-promptly.ts';
import { startServer } from '../server/src/start-server.ts';
import { askFind } from './ask-find.ts';
import { startSender } from './ingest-sender.ts';
import { median, ranked, timed } from './made-events.ts';
import { processorSeconds } from './processor-seconds.ts';
import { openRuleTenant } from './rule-tenant.ts';

// What the rules of SigmaHQ and ours cost a server that does all of its work: events come in over HTTP at a steady rate,
// one of a hundred of a recorded attack, the scheduler runs what is on minute by minute, and somebody searches. First with
// no rule on but one that finds marked events, then with the shipped ones and all rules that run. Told are the processor
// time of an event with and without rules, how long windows wait, how long it takes from an event to its signal, holes in
// the ledgers, rules that were quarantined, and ten searches against the same without rules.
//
// Run: node --import tsx bench/rules-under-load.ts [--minutes 60] [--before 5] [--after 5] [--rate 5000] [--rules 100,1000,5000]
//   [--imported-only]
// `--before` and `--after` are the minutes without rules around those with them; 0 after leaves them out, for a quick look at
// how cost grows with rules, where searches read more each time. With several numbers of rules each has its
// minutes; `--rules ''` measures without rules alone. Needs the corpus beside the checkout.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    before: { type: 'string', default: '5' },
    after: { type: 'string', default: '5' },
    rate: { type: 'string', default: '5000' },
    rules: { type: 'string', default: '5000' },
    /** The shipped detections stay off. */
    'imported-only': { type: 'boolean', default: false },
  },
});
const MINUTES = Number(values.minutes);
const BEFORE = Number(values.before);
const AFTER = Number(values.after);
const RATE = Number(values.rate);
const SAMPLE_MS = 5_000;
const SETTLE_MS = 90_000;
const MARK = 'tyrian-bench-mark';
const MARK_EVERY_MS = 10_000;
const SEARCH_EVERY_MS = 5_000;
const HOUR_MS = 3_600_000;
const PAGE = 500;

const SEARCHES = [
  'Dns | count',
  'ProcessEvent | summarize n = count() by DvcHostname | top 10 by n',
  'Events | summarize count() by Stream, bin(TimeGenerated, 15m)',
  'Events | where SrcIpAddr == "10.9.8.7" | summarize count() by Stream',
  'Events | where Raw has "mimikatz" | project TimeGenerated, DvcHostname, Raw',
  'ProcessEvent | where CommandLine contains "-enc" | summarize count() by ActorUsername',
  'NetworkSession | sort by TimeGenerated desc | take 100 | project TimeGenerated, SrcIpAddr, DstIpAddr',
  'Dns | summarize dcount(DnsQuery) by DvcHostname',
  'search "powershell" | take 100',
  'Events | project TimeGenerated, Stream, DvcHostname, Raw',
] as const;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

if (!hasCorpus) throw new Error('the corpus does not lie beside the checkout');
const folder = mkdtempSync(path.join(tmpdir(), 'tyrian-bench-'));
chmodSync(folder, 0o711);
const config = readConfig({ TYRIAN_DATA: folder, ...ANY_PORTS });
const server = await startServer({
  config,
  checkout: folder,
  log: createLog('error'),
  roles: ['api', 'ingest', 'worker'],
});
servePromptly();
const { platform } = server;
const tenant = await openRuleTenant(platform, server.address ?? '');
const { call, clusterId, scopeId, token, engineer } = tenant;

interface Phase {
  /** Processor time of an event; of it the engine's for merging parts, which grows with the table and not with rules. */
  readonly microseconds: number;
  readonly merges: number;
  readonly searches: readonly number[];
}

/** Sends a marked event now and then; answers when each was sent, by its number. */
function mark(
  until: () => boolean,
  first: number,
): { readonly sent: Map<number, number>; readonly done: Promise<void> } {
  const sent = new Map<number, number>();
  const work = async () => {
    for (let at = first; !until(); at += 1) {
      const event = {
        ...{ EventID: 1, Channel: 'Microsoft-Windows-Sysmon/Operational', Computer: 'marked' },
        ...{ User: `LAB\\mark${at}`, Image: 'C:\\Tools\\mark.exe', CommandLine: MARK },
      };
      sent.set(at, Date.now());
      const answer = await fetch(`${server.ingestAddress}/ingest/ndjson`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: `${JSON.stringify(event)}\n`,
      });
      if (!answer.ok) throw new Error(`a marked event was refused: ${answer.status}`);
      await sleep(MARK_EVERY_MS);
    }
  };
  return { sent, done: work() };
}

/** Milliseconds of each search, one after the other, again and again. */
async function search(until: () => boolean): Promise<number[][]> {
  const times: number[][] = SEARCHES.map(() => []);
  for (let at = 0; !until(); at += 1) {
    const [n, to] = [at % SEARCHES.length, Date.now()];
    const target = { address: server.address ?? '', clusterId, scope: scopeId, ssid: await engineer() };
    const range = { from: to - 24 * HOUR_MS, to };
    const { ms } = await timed(() => askFind(target, SEARCHES[n] ?? '', range));
    times[n]?.push(ms);
    await sleep(SEARCH_EVERY_MS);
  }
  return times;
}

/** Seconds that windows of rules wait after their end, looked at now and then. */
async function watchWaits(until: () => boolean): Promise<number[]> {
  const waits: number[] = [];
  while (!until()) {
    await sleep(SAMPLE_MS);
    const most = Math.max(0, ...(await ruleWaits(platform)).map(({ waited }) => waited));
    waits.push(most);
  }
  return waits;
}

let marks = 0;

async function phase(title: string, minutes: number): Promise<Phase> {
  const sender = await startSender({
    url: `${server.ingestAddress}/ingest/ndjson`,
    token,
    linesPerRequest: 1000,
    connections: 8,
    perSecond: RATE,
    seconds: minutes * 60 + SETTLE_MS / 1000,
  });
  let isOver = false;
  const until = () => isOver;
  const sending = sender.send().finally(() => {
    isOver = true;
  });
  await sleep(SETTLE_MS);
  const [before, began] = [processorSeconds(), performance.now()];
  const marking = mark(until, marks);
  const [waits, searches, sent] = await Promise.all([watchWaits(until), search(until), sending]);
  await marking.done;
  marks += marking.sent.size;
  const [after, seconds] = [processorSeconds(), (performance.now() - began) / 1000];
  const events = (sent.events / sent.seconds) * seconds;
  const spent = (name: keyof typeof after) => ((after[name] - before[name]) * 1e6) / events;
  const [node, postgres, clickhouse, merges] = [
    spent('node'),
    spent('postgres'),
    spent('clickhouse'),
    spent('merges'),
  ];
  const microseconds = node + postgres + clickhouse;
  say(`${title}: ${Math.round(sent.events / sent.seconds)} events/s over ${Math.round(seconds)} s`);
  const shown = `node ${node.toFixed(1)}, postgres ${postgres.toFixed(1)}, clickhouse ${clickhouse.toFixed(1)}`;
  say(
    `  ${microseconds.toFixed(1)} µs of processor time an event (${shown}, of it merging parts ${merges.toFixed(1)})`,
  );
  say(
    `  the window that waits longest: p50 ${ranked(waits, 0.5).toFixed(1)} s, p95 ${ranked(waits, 0.95).toFixed(1)} s, most ${ranked(waits, 1).toFixed(1)} s`,
  );
  await tellSignals(marking.sent);
  return { microseconds, merges, searches: searches.map((times) => median(times)) };
}

/** From a marked event to its signal. */
async function tellSignals(sent: ReadonlyMap<number, number>): Promise<void> {
  // The last ones have their minute, and a window.
  await sleep(2 * 60_000);
  const [first = Date.now()] = sent.values();
  const addfilters = [{ filter_key: 'workbook_id', filter_value: marker }];
  const { data } = await call(listSignals, {
    start: first - HOUR_MS,
    addfilters,
    sort: 'created',
    pagesize: PAGE,
  });
  const made = new Map(data.map(({ name, created }) => [Number(/mark(\d+)/.exec(name)?.[1]), created]));
  const lags = [...sent].flatMap(([at, sentMs]) =>
    made.has(at) ? [((made.get(at) ?? 0) - sentMs) / 1000] : [],
  );
  say(
    `  from event to signal: ${lags.length} of ${sent.size} marked events, p50 ${ranked(lags, 0.5).toFixed(1)} s, p95 ${ranked(lags, 0.95).toFixed(1)} s, most ${ranked(lags, 1).toFixed(1)} s`,
  );
}

async function tellHealth(): Promise<void> {
  const rules: RuleHealthItem[] = [];
  for (let pageno = 1; rules.length === (pageno - 1) * PAGE; pageno += 1) {
    const { data, totals } = await call(listRuleHealth, { range: 'day', pageno, pagesize: PAGE });
    if (pageno === 1) say(`  health of the rules: ${JSON.stringify(totals)}`);
    rules.push(...data);
  }
  const holey = rules.filter(({ gaps }) => gaps > 0).length;
  const quarantined = rules.filter(({ quarantine }) => quarantine !== null).length;
  say(`  ledgers with holes: ${holey} of ${rules.length}; quarantined: ${quarantined}`);
}

/** What rules cost, against the mean of before and after: the more events there are, the more a search reads. */
function tellRatios(before: Phase, withRules: Phase, after: Phase): void {
  const more = (of: 'microseconds' | 'merges') => withRules[of] - (before[of] + after[of]) / 2;
  const [all, merges] = [more('microseconds'), more('merges')];
  say(
    `  with rules ${all.toFixed(1)} µs an event more, ${merges.toFixed(1)} of it merges: rules ${(all - merges).toFixed(1)} (goal 40)`,
  );
  const ratios = withRules.searches.map(
    (ms, at) => (2 * ms) / ((before.searches[at] ?? ms) + (after.searches[at] ?? ms)),
  );
  say(
    `  searches against those without rules: median ${median(ratios).toFixed(2)} times (goal 1.3), most ${ranked(ratios, 1).toFixed(2)}`,
  );
}

const marker = await addMarker();

async function addMarker(): Promise<string> {
  const properties = detectionDraft(`ProcessEvent | where CommandLine == '${MARK}'`, { name: 'Marked' });
  return (await call(addWorkbook, { properties })).ID;
}

try {
  await tenant.switchShipped(false);
  let without = await phase('no rule but the marked one', BEFORE);
  const numbers = values.rules.split(',').filter(Boolean).map(Number);
  // Now that events of their sources have come in.
  if (numbers.length > 0) say(`imported: ${JSON.stringify(await tenant.importRules())}`);
  for (const most of numbers) {
    const shipped = values['imported-only'] ? 0 : await tenant.switchShipped(true);
    const on = await tenant.switchImported(most, true);
    say(`${on} imported rules switched on`);
    const withRules = await phase(`${on} imported rules and ${shipped} shipped ones`, MINUTES);
    await tellHealth();
    await tenant.switchShipped(false);
    await tenant.switchImported(most, false);
    const after = AFTER > 0 ? await phase('without them again', AFTER) : without;
    tellRatios(without, withRules, after);
    without = after;
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
