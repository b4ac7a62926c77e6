import { setPriority } from 'node:os';
import { ATTACKS, openTenant } from './neighbour-attacks.ts';
import type { BenchServer } from './neighbours-server.ts';

// The attacker of bench/neighbours.ts, in a process of its own that gives way to all others: on a network it would be
// another machine, whose work costs neither the server nor the one who measures anything.

const LOWEST_PRIORITY = 19;

/** What the bench says: which server and tenant are attacked, an attack to begin by its name, or null to stop it. */
export type ToAttacker = { readonly server: BenchServer } | { readonly attack: string | null };
/** Sent when an attack was begun or is over. */
export type FromAttacker = { readonly done: true };

let calls: ReturnType<typeof openTenant> | null = null;
let stop: () => Promise<void> = async () => undefined;

async function obey(message: ToAttacker): Promise<void> {
  if ('server' in message) {
    setPriority(LOWEST_PRIORITY);
    calls = openTenant(message.server, message.server.a, '127.0.0.2');
  } else if (message.attack === null) await stop();
  else {
    const attack = ATTACKS[message.attack];
    if (!attack || !calls) throw new Error(`no attack is named ${message.attack}`);
    stop = attack(calls);
  }
  process.send?.({ done: true } satisfies FromAttacker);
}

if (process.send !== undefined) {
  process.on('message', (message: ToAttacker) => void obey(message));
  process.once('disconnect', () => process.exit(0));
}
