import { Agent, request } from 'node:http';
import { buildCompany } from '../server/src/features/demo/demo-company.ts';
import { ordinaryEvent } from '../server/src/features/demo/demo-noise.ts';
import { createRandom } from '../server/src/features/demo/seeded-random.ts';

// The sending side of the ingest benchmark, in a process of its own: makes the demo mix beforehand, then sends it
// over HTTP as fast as it is acknowledged.

export interface SenderOrder {
  readonly url: string;
  readonly token: string;
  readonly events: number;
  readonly linesPerRequest: number;
  readonly connections: number;
}

/** Lines of the demo mix over the last day. */
export function demoLines(events: number, seed: number): string[] {
  const world = { company: buildCompany(seed), random: createRandom(seed) };
  const startMs = Date.now() - 20 * 3_600_000;
  return Array.from(
    { length: events },
    (_, at) => ordinaryEvent(world, startMs + Math.floor((at * 72_000_000) / events)).text,
  );
}

function post(agent: Agent, order: SenderOrder, body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(
      order.url,
      {
        method: 'POST',
        agent,
        headers: { authorization: `Bearer ${order.token}`, 'content-length': body.length },
      },
      (answer) => {
        answer.resume();
        answer.on('end', () =>
          answer.statusCode === 200 ? resolve() : reject(new Error(`answered ${answer.statusCode}`)),
        );
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

async function send(order: SenderOrder): Promise<void> {
  const lines = demoLines(order.events, 7);
  const bodies: Buffer[] = [];
  for (let at = 0; at < lines.length; at += order.linesPerRequest) {
    bodies.push(Buffer.from(`${lines.slice(at, at + order.linesPerRequest).join('\n')}\n`));
  }
  process.send?.({ ready: bodies.reduce((sum, body) => sum + body.length, 0) });
  await new Promise((resolve) => process.once('message', resolve));
  const agent = new Agent({ keepAlive: true, maxSockets: order.connections });
  const started = performance.now();
  let next = 0;
  const connection = async () => {
    while (next < bodies.length) await post(agent, order, bodies[next++] as Buffer);
  };
  await Promise.all(Array.from({ length: order.connections }, connection));
  process.send?.({ seconds: (performance.now() - started) / 1000 });
  agent.destroy();
  process.disconnect?.();
}

if (process.send !== undefined) process.once('message', (order: SenderOrder) => void send(order));
