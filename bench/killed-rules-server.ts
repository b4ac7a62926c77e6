import { setTimeout as sleep } from 'node:timers/promises';
import {
  foundOccurrences,
  isCaughtUp,
  startAnew,
} from '../server/src/features/detections/testing/evaluate-again.ts';
import { ANY_PORTS, readConfig } from '../server/src/platform/config.ts';
import { createLog } from '../server/src/platform/log.ts';
import { startServer } from '../server/src/start-server.ts';
import { openRuleTenant } from './rule-tenant.ts';

// The server that bench/rules-killed.ts kills: all roles with the engines of its data folder, in a process of its own. It
// answers what the bench asks of the stores, because it alone has their passwords.

export interface Prepared {
  readonly clusterId: string;
  readonly token: string;
  readonly imported: number;
  readonly shipped: number;
}

/** What the bench asks, one at a time. */
export type Asked =
  | { readonly ask: 'prepare'; readonly rules: number }
  | { readonly ask: 'isCaughtUp'; readonly throughMs: number }
  | { readonly ask: 'found'; readonly clusterId: string }
  | { readonly ask: 'startAnew'; readonly clusterId: string; readonly fromMs: number };

const server = await startServer({
  config: readConfig({ ...ANY_PORTS, ...process.env }),
  checkout: process.cwd(),
  log: createLog('error'),
  roles: ['api', 'ingest', 'worker'],
});
const { platform } = server;

async function prepare(rules: number): Promise<Prepared> {
  const tenant = await openRuleTenant(platform, server.address ?? '');
  await tenant.importRules();
  const imported = await tenant.switchImported(rules, true);
  let shipped = 0;
  // The scheduler gives them to a tenant when it first sees it.
  while (shipped === 0) {
    await sleep(1000);
    shipped = await tenant.switchShipped(true);
  }
  const { clusterId, token } = tenant;
  return { clusterId, token, imported, shipped };
}

async function answer(asked: Asked): Promise<unknown> {
  switch (asked.ask) {
    case 'prepare':
      return prepare(asked.rules);
    case 'isCaughtUp':
      return isCaughtUp(platform, asked.throughMs);
    case 'found':
      return foundOccurrences(platform, asked.clusterId);
    case 'startAnew':
      return startAnew(platform, asked.clusterId, asked.fromMs);
  }
}

process.on('message', (asked: Asked) => {
  answer(asked)
    .then((value) => process.send?.({ value: value ?? null }))
    .catch((error: Error) => process.send?.({ error: error.stack }));
});
process.once('disconnect', () => process.exit(0));
process.send?.({ value: server.ingestAddress });
