// `npm test`: installs and builds what is missing, runs every test on real engines and a real browser, and ends with
// one plain line of counts. Further arguments go to vitest, e.g. `npm test -- --project engines cases`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureConsoleBuilt } from './ensure-console-built.mjs';
import { CHECKOUT, ensureInstalled } from './ensure-installed.mjs';

const wanted = process.argv.slice(2);

const namesProject = wanted.some((argument) => argument.startsWith('--project'));

/** The journeys' server with its live demo would slow the other tests down, so it starts after them. */
const runs = namesProject
  ? [wanted]
  : [
      ['--project', 'unit', '--project', 'console', '--project', 'engines', ...wanted],
      ['--project', 'journeys', ...wanted],
    ];

/** Only the journeys look at the console. */
const needsConsole = runs.flat().some((argument) => argument.includes('journeys'));

function runVitest(arguments_, report) {
  const vitest = path.join(CHECKOUT, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    '--passWithNoTests',
  ];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...arguments_], {
      cwd: CHECKOUT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, NODE_ENV: 'test' },
    });
    const pass = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, pass);
    child.on('close', (code) => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, pass);
      resolve(code ?? 1);
    });
  });
}

/** Counts of a run; null when vitest did not finish. */
function countsOf(report) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    // A file can fail without one of its tests, e.g. while it cleans up.
    const outside = testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && assertionResults.every((one) => one.status !== 'failed'),
    );
    return {
      passed: numPassedTests,
      failed: numFailedTests + outside.length,
      skipped: numPendingTests + numTodoTests,
    };
  } catch {
    return null;
  }
}

await ensureInstalled();
if (needsConsole) await ensureConsoleBuilt();
const folder = mkdtempSync(path.join(tmpdir(), 'tyrian-report-'));
const total = { passed: 0, failed: 0, skipped: 0 };
for (const [index, arguments_] of runs.entries()) {
  const report = path.join(folder, `report-${index}.json`);
  const code = await runVitest(arguments_, report);
  if (code !== 0) process.exitCode = code;
  const counts = countsOf(report);
  if (counts === null) console.log('vitest did not finish');
  else for (const key of Object.keys(total)) total[key] += counts[key];
}
rmSync(folder, { recursive: true, force: true });
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
