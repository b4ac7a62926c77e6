import type { DemoLine, DemoWorld } from './demo-line.ts';

// An attack told as the lines that it leaves behind. Stories are written for this demo; every run varies people,
// machines, addresses and pace, while what a detection looks for stays.

export interface AttackScenario {
  readonly name: string;
  /** How long the scenario takes at most. */
  readonly lastsMs: number;
  /** The lines in order of time, the first at `startMs` or soon after. */
  tell(world: DemoWorld, startMs: number): DemoLine[];
}

/** A clock that the scenario moves on: `later(s)` goes on by about that many seconds. */
export function scenarioClock({ random }: DemoWorld, startMs: number): (seconds: number) => number {
  let nowMs = startMs;
  return (seconds) => {
    nowMs += Math.max(20, Math.round(seconds * 1000 * (0.7 + 0.6 * random.next())));
    return nowMs;
  };
}

/** PowerShell's own encoding of a command. */
export function encodedCommand(script: string): string {
  return Buffer.from(script, 'utf16le').toString('base64');
}
