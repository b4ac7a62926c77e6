import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { createKqlCompiler } from '../features/search/kql-compiler.ts';
import { lowerPriority, mayRestorePriority, restorePriority } from './thread-priority.ts';

const isLinux = existsSync('/proc/thread-self');
const mayRestore = mayRestorePriority();

/** The nice value of a thread, by its folder below /proc. */
function niceOf(task: string): number {
  const stat = readFileSync(`/proc/${task}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
}

it.runIf(isLinux)(
  '[S07] lowers one thread of the process and no other, and gives its priority back',
  async () => {
    const script = `const { parentPort } = require('node:worker_threads');
    parentPort.postMessage(require('node:fs').readlinkSync('/proc/thread-self')); parentPort.on('message', () => {});`;
    const worker = new Worker(script, { eval: true });
    const [task] = (await once(worker, 'message')) as [string];
    const before = getPriority();
    expect(lowerPriority(task)).toBe(true);
    expect(niceOf(task)).toBe(15);
    expect(getPriority()).toBe(before);
    expect(restorePriority(task)).toBe(mayRestore || before === 15);
    if (mayRestore) expect(niceOf(task)).toBe(before);
    await worker.terminate();
  },
);

it.runIf(isLinux && mayRestore)(
  '[S09] no worker thread keeps the priority of one that goes first',
  async () => {
    const before = getPriority(0);
    const begun = async (givesWay: boolean): Promise<number> => {
      const script = `const { parentPort } = require('node:worker_threads');
      import(${JSON.stringify(new URL('./begin-thread.mjs', import.meta.url).href)})
        .then(({ beginThread }) => { beginThread(${givesWay}); parentPort.postMessage(require('node:os').getPriority(0)); })`;
      const worker = new Worker(script, { eval: true, execArgv: [] });
      const [nice] = await once(worker, 'message');
      await worker.terminate();
      return nice;
    };
    setPriority(0, -5);
    try {
      expect([await begun(false), await begun(true)]).toEqual([0, 15]);
    } finally {
      setPriority(0, before);
    }
  },
);

it('[S09] every script of a worker thread begins with that', () => {
  const server = path.join(import.meta.dirname, '..');
  const scripts = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(^|\/)start-[a-z]+-worker\.mjs$/.test(file),
  );
  expect(scripts.length).toBeGreaterThanOrEqual(4);
  for (const file of scripts)
    expect(readFileSync(path.join(server, file), 'utf8')).toMatch(/^beginThread\(/m);
});

it('changes nothing where a thread has no number', () => {
  expect(lowerPriority('')).toBe(false);
  expect(lowerPriority('self/../../x')).toBe(false);
});

it.runIf(isLinux)('[S07] a text that works long gives way to everything else on the machine', async () => {
  const compiler = createKqlCompiler({ size: 1, limitMs: 1_000, spareAfterMs: 3_600_000 });
  const options = { schemaVersion: 'v', extFields: [], nowMs: 0 };
  await compiler.compile('print warm = 1', options);
  const lowOnes = () =>
    readdirSync('/proc/self/task').filter((id) => niceOf(`self/task/${id}`) === 15).length;
  const before = lowOnes();
  const cases = Array.from({ length: 3000 }, (_, index) => `1 == ${index}, "x"`).join(', ');
  let isDone = false;
  const long = compiler.compile(`print x = case(${cases}, "y")`, options).finally(() => {
    isDone = true;
  });
  while (!isDone && lowOnes() <= before) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isDone).toBe(false);
  await long;
  await compiler.close();
});
