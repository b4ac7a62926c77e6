import { askFind, MAX_ROWS } from './ask-find.ts';
import { openBenchServer } from './bench-server.ts';
import {
  END,
  fromAll,
  inStream as inStreamOf,
  makeEvents,
  median,
  type Pair,
  ranked,
  START,
  timed,
} from './made-events.ts';

// Thirteen queries of Find, from the click to the last row, beside the SQL that one would write by hand, on the same
// events in the same run.
//
//   node --import tsx bench/find-queries.ts [events, 5000000] [rounds, 9]
//
// A query goes the way of Find over HTTP: invoke, and where that does not bring the rows state and result; newest first, at most 1,000 rows, with its entries in
// history and audit trail. The SQL goes to the same engine as the same user, in turns. Each is asked for the same
// number of rows and columns; `dcount` is held against `uniq`, which estimates. The claims: the median ratio is at most
// 1.2, a rare word and `has` at most 1.3, and `print 1` takes at most 30 ms.

const EVENTS = Number(process.argv[2] ?? 5_000_000);
const ROUNDS = Number(process.argv[3] ?? 9);
const WHOLE = { from: START, to: END };

const pairsOf = (scope: string): readonly Pair[] => {
  const inAll = fromAll(scope);
  const inStream = (stream: string) => inStreamOf(stream, scope);
  return [
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
    {
      name: 'a rare word, anywhere',
      kql: 'search "needle4711" | project TimeGenerated, DvcHostname, Raw',
      sql: `SELECT TimeGenerated, DvcHostname, Raw ${inAll} AND hasAllTokens(lower(Raw), ['needle4711']) ORDER BY TimeGenerated DESC LIMIT ${MAX_ROWS + 1}`,
    },
    {
      name: 'has in a field',
      kql: 'ProcessEvent | where CommandLine has "13777" | project TimeGenerated, DvcHostname, CommandLine',
      sql: `SELECT TimeGenerated, DvcHostname, CommandLine ${inStream('ProcessEvent')} AND hasTokenCaseInsensitive(CommandLine, '13777') ORDER BY TimeGenerated DESC LIMIT ${MAX_ROWS + 1}`,
    },
    {
      name: 'newest of everything',
      kql: 'Events | project TimeGenerated, Stream, DvcHostname, Raw',
      sql: `SELECT TimeGenerated, Stream, DvcHostname, Raw ${inAll} ORDER BY TimeGenerated DESC LIMIT ${MAX_ROWS + 1}`,
    },
  ];
};

const { target, eventStore, close } = await openBenchServer();
try {
  const { clusterId, scope } = target;
  await makeEvents(eventStore, EVENTS, target);
  const askByHand = async (sql: string): Promise<number> => {
    const { rows } = await eventStore.rows(clusterId, { sql, scopes: [scope] });
    return Math.min(rows.length, MAX_ROWS);
  };
  const cell = (value: number, digits: number): string => value.toFixed(digits).padStart(9);
  process.stdout.write(`${EVENTS} events, ${ROUNDS} rounds, milliseconds from the click to the last row\n`);
  process.stdout.write(
    `${''.padEnd(30)}${['KQL', 'SQL', 'ratio'].map((head) => head.padStart(9)).join('')}\n`,
  );
  const ratios: number[] = [];
  for (const { name, kql, sql } of pairsOf(scope)) {
    const ours: number[] = [];
    const byHand: number[] = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      // The first round warms the caches of both and is not counted; whoever goes first changes by turns.
      const kqlCall = () => timed(() => askFind(target, kql, WHOLE));
      const sqlCall = () => timed(() => askByHand(sql));
      const isKqlFirst = round % 2 === 0;
      const first = await (isKqlFirst ? kqlCall() : sqlCall());
      const second = await (isKqlFirst ? sqlCall() : kqlCall());
      const [a, b] = isKqlFirst ? [first, second] : [second, first];
      if (a.rows !== b.rows) throw new Error(`${name}: ${a.rows} rows, by hand ${b.rows}`);
      if (round < 0) continue;
      ours.push(a.ms);
      byHand.push(b.ms);
    }
    const ratio = median(ours) / median(byHand);
    ratios.push(ratio);
    process.stdout.write(
      `${name.padEnd(30)}${cell(median(ours), 1)}${cell(median(byHand), 1)}${cell(ratio, 2)}\n`,
    );
  }
  process.stdout.write(`${'median ratio'.padEnd(48)}${cell(median(ratios), 2)}\n`);
  const prints: number[] = [];
  for (let round = 0; round < 40; round += 1)
    prints.push((await timed(() => askFind(target, 'print 1', WHOLE))).ms);
  process.stdout.write(
    `print 1: median ${median(prints).toFixed(1)}, p95 ${ranked(prints, 0.95).toFixed(1)}\n`,
  );
} finally {
  await close();
}
