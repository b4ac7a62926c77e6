import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { createKqlCompiler } from '../features/search/kql-compiler.ts';
import { endlessText } from '../features/search/testing/endless-text.ts';
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

/** By thread of a new process its nice value and processor time once the helpers were lowered and have had to do. */
function afterHelp(): { readonly nice: number; readonly ticks: number; readonly isMain: boolean }[] {
  const script = `
    import { readdirSync, readFileSync } from 'node:fs';
    import { pbkdf2 } from 'node:crypto';
    import { getPriority } from 'node:os';
    const { lowerHelpers } = await import(${JSON.stringify(new URL('./thread-priority.ts', import.meta.url).href)});
    const lowered = lowerHelpers();
    const threads = () => readdirSync('/proc/self/task').map((id) => {
      const stat = readFileSync('/proc/self/task/' + id + '/stat', 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return { nice: Number(fields[16]), ticks: Number(fields[11]) + Number(fields[12]), isMain: Number(id) === process.pid };
    });
    // Garbage for V8's helpers, and work for the threads of libuv, which keep their priority.
    const kept = [];
    const helped = (nice) => threads().filter((one) => !one.isMain && one.nice === nice && one.ticks >= 5).length > 0;
    for (let round = 0; round < 400 && !(helped(10) && helped(getPriority())); round += 1) {
      for (let n = 0; n < 50_000; n += 1) kept.push({ n, list: [n] });
      if (kept.length > 1_000_000) kept.length = 0;
      gc({ type: 'minor' });
      await Promise.all([1, 2, 3, 4].map((n) => new Promise((done) => pbkdf2('p' + n, 's', 20_000, 32, 'sha512', done))));
    }
    console.log(JSON.stringify({ lowered, threads: threads() }));`;
  const args = ['--expose-gc', '--import', 'tsx', '--input-type=module', '--eval', script];
  const { stdout } = spawnSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' });
  const told = JSON.parse(stdout) as { lowered: number; threads: ReturnType<typeof afterHelp> };
  expect(told.lowered).toBe(told.threads.filter(({ nice }) => nice === 10).length);
  return told.threads;
}

it.runIf(isLinux && mayRestore)('[S09] threads that help V8 go behind, and no others do', () => {
  const threads = afterHelp();
  const busy = threads.filter(({ isMain, ticks }) => !isMain && ticks >= 5);
  expect(busy.filter(({ nice }) => nice === 10).length).toBeGreaterThan(0);
  expect(busy.filter(({ nice }) => nice === getPriority()).length).toBeGreaterThan(0);
  expect(threads.filter(({ isMain }) => isMain).map(({ nice }) => nice)).toEqual([getPriority()]);
});

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
  let isDone = false;
  const long = compiler.compile(endlessText('x'), options).finally(() => {
    isDone = true;
  });
  while (!isDone && lowOnes() <= before) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isDone).toBe(false);
  await long;
  await compiler.close();
});
