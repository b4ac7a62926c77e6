import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';

const CHECKOUT = path.join(import.meta.dirname, '..');

it('stops a test that works on without an end, names its file and runs the others', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tyrian-stuck-'));
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  write('endless.test.js', `it('never ends', () => { for (;;); });`);
  write('short.test.js', `it('ends', () => {});`);
  // As the engines of the tests are: a program of Node that belongs to the run.
  write(
    'engine.mjs',
    `import { spawn } from 'node:child_process';
    import { writeFileSync } from 'node:fs';
    export default () => {
      const engine = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      return () => {
        writeFileSync(new URL('engine', import.meta.url), String(engine.signalCode));
        engine.kill();
      };
    };`,
  );
  const reporter = JSON.stringify(path.join(CHECKOUT, 'tools/stuck-tests-reporter.mjs'));
  write(
    'vitest.config.mjs',
    `import StuckTestsReporter from ${reporter};
    export default { test: { globals: true, isolate: false, maxWorkers: 2, globalSetup: './engine.mjs',
      reporters: [new StuckTestsReporter({ quietMs: 1500 }), ['json', { outputFile: 'report.json' }]] } };`,
  );
  try {
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(CHECKOUT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder],
      { encoding: 'utf8', env: { ...process.env, TYRIAN_STUCK_FILES: path.join(folder, 'stuck') } },
    );
    expect(status).toBe(1);
    expect(stderr).toContain('Nothing began or ended for 1.5 s.');
    expect(readFileSync(path.join(folder, 'stuck'), 'utf8')).toBe(path.join(folder, 'endless.test.js'));
    expect(readFileSync(path.join(folder, 'engine'), 'utf8')).toBe('null');
    expect(JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')).numPassedTests).toBe(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
