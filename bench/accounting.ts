import { parseArgs } from 'node:util';
import { accountingRun } from '../server/src/features/ingest/testing/accounting-run.ts';

// Sent = stored + rejected, for every way that acknowledges, while the server is killed with -9 three times, ClickHouse
// twice, and the spool is filled once. Datagrams of syslog go beside: for them the loss is counted.
//
// Run: node --import tsx bench/accounting.ts [--events 1000000]

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    batch: { type: 'string', default: '1000' },
    spool: { type: 'string', default: '16' },
  },
});
const WAYS = 5;
const accounts = await accountingRun({
  eventsPerWay: Math.ceil(Number(values.events) / WAYS),
  eventsPerBatch: Number(values.batch),
  sendersPerWay: 2,
  datagrams: Math.ceil(Number(values.events) / 20),
  serverKills: 3,
  storeKills: 2,
  spoolMib: Number(values.spool),
  say: (line) => console.log(line),
});

let isBalanced = true;
for (const { way, sent, accepted, rejected, stored, distinct } of accounts.ways) {
  const isEven = sent === accepted + rejected && stored === accepted && distinct === stored;
  isBalanced &&= isEven;
  console.log(
    `${way.padEnd(8)} sent ${sent}, accepted ${accepted}, rejected ${rejected}, stored ${stored}, distinct ${distinct}: ${isEven ? 'even' : 'NOT EVEN'}`,
  );
}
const { udp, repeats, spoolFull, seconds, counts } = accounts;
const unseen = udp.sent - udp.stored - udp.lost;
console.log(
  `udp      sent ${udp.sent}, stored ${udp.stored}, distinct ${udp.distinct}, counted as lost ${udp.lost}, never seen by a running server ${unseen}`,
);
console.log(`batches sent again ${repeats}, answers "spool is full" ${spoolFull}, ${seconds.toFixed(0)} s`);
console.log(`counts of the sources: ${JSON.stringify(counts)}`);
process.exitCode = isBalanced && udp.stored === udp.distinct ? 0 : 1;
