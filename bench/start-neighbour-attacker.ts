import { fork } from 'node:child_process';
import path from 'node:path';
import type { FromAttacker, ToAttacker } from './neighbour-attacker.ts';
import type { BenchServer } from './neighbours-server.ts';

/** A process that attacks a server as its tenant A. */
export interface NeighbourAttacker {
  /** Begins one of ATTACKS. */
  begin(attack: string): Promise<void>;
  /** Stops the attack; resolves when nothing of it runs any more. */
  end(): Promise<void>;
  stop(): void;
}

/** Rejects when the process ends before it has answered. */
export async function startNeighbourAttacker(server: BenchServer): Promise<NeighbourAttacker> {
  const child = fork(path.join(import.meta.dirname, 'neighbour-attacker.ts'), [], {
    execArgv: ['--import', 'tsx'],
  });
  const tell = (message: ToAttacker): Promise<void> =>
    new Promise((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`the attacker ended with ${code}`));
      child.once('exit', ended);
      child.once('message', (_: FromAttacker) => {
        child.off('exit', ended);
        resolve();
      });
      child.send(message);
    });
  await tell({ server });
  return {
    begin: (attack) => tell({ attack }),
    end: () => tell({ attack: null }),
    stop: () => child.disconnect(),
  };
}
