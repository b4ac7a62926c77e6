import { setTimeout as sleep } from 'node:timers/promises';
import { openScratchQueries } from '../server/src/features/search/scratch-queries.ts';
import { END, inAll, inStream, makeEvents, median, type Pair, START, TENANT, timed } from './made-events.ts';

// Ten queries of Find beside the SQL that one would write by hand, on the same events in the same run.
//
//   node --import tsx bench/find-queries.ts [events, 5000000] [rounds, 9]
//
// Both go through the same client as the same user, in turns. A query runs as Find runs it: newest first, at most
// 1,000 rows, plan kept from the round before (what compiling costs stands below the table). Each is asked for the
// same number of rows and columns; `dcount` is held against `uniq`, which estimates. Three figures for each side:
// the whole call, what the engine says it took, and its processor time. The claim is that the median ratio of the
// whole calls is at most 1.3.

const EVENTS = Number(process.argv[2] ?? 5_000_000);
const ROUNDS = Number(process.argv[3] ?? 9);
const MAX_ROWS = 1000;

const PAIRS: readonly Pair[] = [
  {
    name: 'count of one stream',
    kql: 'Dns | count',
    sql: `SELECT count() ${inStream('Dns')}`,
  },
  {
    name: 'top ten of a field',
    kql: 'ProcessEvent | summarize n = count() by DvcHostname | top 10 by n',
    sql: `SELECT DvcHostname, count() AS n ${inStream('ProcessEvent')} GROUP BY DvcHostname ORDER BY n DESC LIMIT 10`,
  },
  {
    name: 'events over time by stream',
    kql: 'Events | summarize count() by Stream, bin(TimeGenerated, 15m)',
    sql: `SELECT Stream, toStartOfInterval(TimeGenerated, INTERVAL 15 MINUTE) AS t, count() ${inAll} GROUP BY Stream, t LIMIT ${MAX_ROWS + 1}`,
  },
  {
    name: 'a rare address',
    kql: 'Events | where SrcIpAddr == "10.9.8.7" | summarize count() by Stream',
    sql: `SELECT Stream, count() ${inAll} AND SrcIpAddr = '10.9.8.7' GROUP BY Stream`,
  },
  {
    name: 'a rare word in the text',
    kql: 'Events | where Raw has "needle4711" | project TimeGenerated, DvcHostname, Raw',
    sql: `SELECT TimeGenerated, DvcHostname, Raw ${inAll} AND hasAllTokens(lower(Raw), ['needle4711']) ORDER BY TimeGenerated DESC LIMIT ${MAX_ROWS + 1}`,
  },
  {
    name: 'a part of a command line',
    kql: 'ProcessEvent | where CommandLine contains "--job 77" | summarize count() by ActorUsername',
    sql: `SELECT ActorUsername, count() ${inStream('ProcessEvent')} AND CommandLine ILIKE '%--job 77%' GROUP BY ActorUsername`,
  },
  {
    name: 'a regular expression',
    kql: 'ProcessEvent | where CommandLine matches regex @"job 1\\d\\d\\d7$" | count',
    sql: `SELECT count() ${inStream('ProcessEvent')} AND match(CommandLine, 'job 1\\\\d\\\\d\\\\d7$')`,
  },
  {
    name: 'newest hundred of a stream',
    kql: 'NetworkSession | sort by TimeGenerated desc | take 100 | project TimeGenerated, SrcIpAddr, DstIpAddr, DvcAction',
    sql: `SELECT TimeGenerated, SrcIpAddr, DstIpAddr, DvcAction ${inStream('NetworkSession')} ORDER BY TimeGenerated DESC LIMIT 100`,
  },
  {
    name: 'distinct values per host',
    kql: 'Dns | summarize dcount(DnsQuery) by DvcHostname',
    sql: `SELECT DvcHostname, uniq(DnsQuery) ${inStream('Dns')} GROUP BY DvcHostname`,
  },
  {
    name: 'a field of Ext',
    kql: 'Events | where tostring(Ext.colour) == "red" | summarize count() by Stream',
    sql: `SELECT Stream, count() ${inAll} AND Ext.colour::Nullable(String) = 'red' GROUP BY Stream`,
  },
];

const { events, queries, close } = await openScratchQueries('tyrian-bench-', TENANT);
try {
  await makeEvents(events, EVENTS);
  const ask = async (kql: string, queryId: string): Promise<number> => {
    const { rows } = await queries.run({
      clusterId: TENANT,
      scopes: ['main'],
      kql,
      timeRange: { from: START, to: END },
      queue: 'interactive',
      order: 'newest-first',
      maxRows: MAX_ROWS,
      queryId,
    });
    return rows.length;
  };
  const askByHand = async (sql: string, queryId: string): Promise<number> =>
    (await events.rows(TENANT, { sql, scopes: ['main'], queryId })).rows.length;
  /** What the engine wrote down about the calls of one side, a call's pieces added up. */
  const engineFigures = async (prefix: string): Promise<{ ms: number; cpuMs: number }> => {
    // The engine writes its log down every two seconds.
    await sleep(3_000);
    const calls = await events.systemRows<{ ms: string; cpu: string }>(
      `SELECT toString(sum(query_duration_ms)) AS ms,
         toString(sum(ProfileEvents['UserTimeMicroseconds'] + ProfileEvents['SystemTimeMicroseconds']) / 1000) AS cpu
       FROM system.query_log WHERE type = 'QueryFinish' AND startsWith(query_id, {prefix:String})
       GROUP BY splitByChar('-', query_id)[3]`,
      { prefix },
    );
    return {
      ms: median(calls.map((one) => Number(one.ms))),
      cpuMs: median(calls.map((one) => Number(one.cpu))),
    };
  };
  const cell = (value: number, digits: number): string => value.toFixed(digits).padStart(8);
  const cells = (ours: number, byHand: number): string =>
    `${cell(ours, 1)}${cell(byHand, 1)}${cell(ours / byHand, 2)}`;
  process.stdout.write(`${EVENTS} events, ${ROUNDS} rounds, medians in milliseconds: KQL, SQL, ratio\n`);
  process.stdout.write(
    `${''.padEnd(30)}${'whole call'.padStart(24)}${'engine'.padStart(24)}${'CPU'.padStart(24)}\n`,
  );
  const ratios: { call: number; engine: number; cpu: number }[] = [];
  for (const [index, { name, kql, sql }] of PAIRS.entries()) {
    const ours: number[] = [];
    const byHand: number[] = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      // The first round warms the caches of both and is not counted; whoever goes first changes by turns.
      const run = round < 0 ? 'warm' : 'bench';
      const kqlCall = () => timed(() => ask(kql, `${run}-k${index}-${round}`));
      const sqlCall = () => timed(() => askByHand(sql, `${run}-s${index}-${round}`));
      const isKqlFirst = round % 2 === 0;
      const first = await (isKqlFirst ? kqlCall() : sqlCall());
      const second = await (isKqlFirst ? sqlCall() : kqlCall());
      const [a, b] = isKqlFirst ? [first, second] : [second, first];
      if (a.rows !== b.rows) throw new Error(`${name}: ${a.rows} rows, by hand ${b.rows}`);
      if (round < 0) continue;
      ours.push(a.ms);
      byHand.push(b.ms);
    }
    const [k, s] = [await engineFigures(`bench-k${index}-`), await engineFigures(`bench-s${index}-`)];
    const call = { k: median(ours), s: median(byHand) };
    ratios.push({ call: call.k / call.s, engine: k.ms / s.ms, cpu: k.cpuMs / s.cpuMs });
    process.stdout.write(
      `${name.padEnd(30)}${cells(call.k, call.s)}${cells(k.ms, s.ms)}${cells(k.cpuMs, s.cpuMs)}\n`,
    );
  }
  const over = (key: 'call' | 'engine' | 'cpu'): string =>
    median(ratios.map((one) => one[key]))
      .toFixed(2)
      .padStart(24);
  process.stdout.write(`${'median ratio'.padEnd(30)}${over('call')}${over('engine')}${over('cpu')}\n`);
  const compiling: number[] = [];
  for (const { kql } of PAIRS) {
    const request = { clusterId: TENANT, scopes: ['main'], kql: `${kql}\n// a new text` };
    const began = performance.now();
    await queries.compile(request);
    compiling.push(performance.now() - began);
  }
  process.stdout.write(`compiling a new text ${median(compiling).toFixed(1)} ms\n`);
} finally {
  await close();
}
