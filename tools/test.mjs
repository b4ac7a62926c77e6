// `npm test`: installs and builds what is missing, runs every test on real engines and a real browser, and ends with
// one plain line of counts. Further arguments go to vitest, e.g. `npm test -- --project engines cases`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureConsoleBuilt } from './ensure-console-built.mjs';
import { CHECKOUT, ensureInstalled } from './ensure-installed.mjs';

const wanted = process.argv.slice(2);

/** Only the journeys look at the console. */
function needsConsole() {
  const projects = wanted.flatMap((argument, index) =>
    argument === '--project'
      ? [wanted[index + 1]]
      : argument.startsWith('--project=')
        ? [argument.slice(10)]
        : [],
  );
  return projects.length === 0 || projects.includes('journeys');
}

function runVitest(report) {
  const vitest = path.join(CHECKOUT, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...wanted], {
      cwd: CHECKOUT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, NODE_ENV: 'test' },
    });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.on('close', (code) => resolve(code ?? 1));
  });
}

function countsOf(report) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    return `${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests + numTodoTests} skipped`;
  } catch {
    return '0 passed, 0 failed, 0 skipped (vitest did not finish)';
  }
}

await ensureInstalled();
if (needsConsole()) await ensureConsoleBuilt();
const folder = mkdtempSync(path.join(tmpdir(), 'tyrian-report-'));
const report = path.join(folder, 'report.json');
process.exitCode = await runVitest(report);
console.log(countsOf(report));
rmSync(folder, { recursive: true, force: true });
