import { type ChildProcess, spawn } from 'node:child_process';

// Other work on the machine, for benches that measure what it does to ours.

export interface BusyProcesses {
  rest(): void;
  work(): void;
  end(): void;
}

/** Processes that do nothing but work; they can be stopped and go on. */
export function startBusyProcesses(count: number): BusyProcesses {
  const all: ChildProcess[] = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  const signal = (name: NodeJS.Signals) => () => {
    for (const one of all) one.kill(name);
  };
  return { rest: signal('SIGSTOP'), work: signal('SIGCONT'), end: signal('SIGKILL') };
}
