import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const MODULE = new URL('./collect-garbage-seldom.ts', import.meta.url).href;

/** What V8 tells of its collections while the script runs, after it has said `go`. */
function traceOf(flags: readonly string[], script: string): string {
  const whole = `const { collectGarbageSeldom } = await import(${JSON.stringify(MODULE)});\n${script}`;
  const args = [...flags, '--import', 'tsx', '--input-type=module', '--eval', whole];
  const { stdout } = spawnSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' });
  const [, after = ''] = stdout.split('go\n');
  return after;
}

it('[S07] the server waits for no other thread when it collects young garbage', () => {
  const trace = traceOf(
    ['--trace-gc-nvp'],
    `const fill = () => { for (let kept = [], n = 0; n < 300_000; n += 1) {
      kept.push({ n, list: [n] });
      if (kept.length > 100_000) kept = kept.slice(50_000);
    } };
    collectGarbageSeldom(); console.log('go'); fill();`,
  );
  const byOthers = [...trace.matchAll(/background\.scavenge\.parallel=([\d.]+)/g)].map(([, ms]) =>
    Number(ms),
  );
  expect(byOthers.length).toBeGreaterThan(3);
  expect(Math.max(...byOthers)).toBe(0);
});

it('[S07] the server looks at all that it keeps each time that has doubled', () => {
  const trace = traceOf(
    // Begun and done at once, so that nothing depends on how fast the machine is; before the first one, which is asked for,
    // V8 takes what it likes.
    ['--trace-gc', '--no-incremental-marking', '--expose-gc'],
    `collectGarbageSeldom(); console.log('go');
    const kept = [];
    const keepUpTo = (most) => { while (kept.length < most) kept.push({ n: kept.length, list: [kept.length] }); };
    keepUpTo(1_000_000);
    gc();
    keepUpTo(6_000_000);
    console.log(kept.length);`,
  );
  const [before, last] = [...trace.matchAll(/Mark-Compact ([\d.]+) \([\d.]+\) -> ([\d.]+)/g)].slice(-2);
  // Young garbage comes on top.
  const growth = Number(last?.[1]) / Number(before?.[2]);
  expect(growth).toBeGreaterThan(1.9);
  expect(growth).toBeLessThan(3);
});
