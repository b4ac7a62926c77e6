// Asks an https address over a checked connection, in a process that trusts the authority of NODE_EXTRA_CA_CERTS, and prints
// what came: arguments are the address and what each name resolves to.
import { createLog } from '../../log.ts';
import { parseNetworks } from '../network-list.ts';
import { createOutgoing } from '../outgoing-connections.ts';
import { requestOutgoing } from '../outgoing-http.ts';

const [, , ...urls] = process.argv;
const outgoing = createOutgoing({
  allow: parseNetworks('127.0.0.0/8'),
  log: createLog('silent'),
  resolveName: async () => ['127.0.0.1'],
});
for (const url of urls) {
  try {
    const { status, body } = await requestOutgoing(outgoing, { url, timeMs: 10_000, maxBytes: 1_000 });
    console.log(JSON.stringify({ status, body: Buffer.from(body).toString('utf8') }));
  } catch (error) {
    console.log(JSON.stringify({ refused: error.message, reason: error.reason }));
  }
}
