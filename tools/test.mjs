// `npm test`: installs and builds what is missing, runs every test on real engines and a real browser, and ends with
// one plain line of counts. Further arguments go to vitest, e.g. `npm test -- --project engines cases`.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureProgramBuilt } from '../server/bin/build-program.mjs';
import { ensureConsoleBuilt } from './ensure-console-built.mjs';
import { CHECKOUT, ensureInstalled } from './ensure-installed.mjs';
import { STUCK_FILES_VARIABLE } from './stuck-tests-reporter.mjs';

const wanted = process.argv.slice(2);

const namesProject = wanted.some((argument) => argument.startsWith('--project'));

/** The journeys' server with its live demo would slow the other tests down, so it starts after them. */
const runs = namesProject
  ? [wanted]
  : [
      ['--project', 'unit', '--project', 'console', '--project', 'engines', '--project', 'shards', ...wanted],
      ['--project', 'journeys', ...wanted],
    ];

/** Only the journeys look at the console. */
const needsConsole = runs.flat().some((argument) => argument.includes('journeys'));

function runVitest(arguments_, report) {
  const vitest = path.join(CHECKOUT, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    '--reporter=./tools/stuck-tests-reporter.mjs',
    `--outputFile.json=${report}`,
    '--passWithNoTests',
  ];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...arguments_], {
      cwd: CHECKOUT,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, NODE_ENV: 'test', [STUCK_FILES_VARIABLE]: stuckFile(report) },
    });
    const pass = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, pass);
    child.on('close', (code) => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, pass);
      resolve(code ?? 1);
    });
  });
}

const stuckFile = (report) => `${report}.stuck`;

/** The files that had to be stopped; none where no such file was written. */
function stuckFiles(report) {
  const file = stuckFile(report);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** The report of a run; null when vitest did not finish. */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * What failed in a run, each with the first lines of its messages: tests, and files that failed without one of their
 * tests, e.g. while they cleaned up.
 */
function failuresOf({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(CHECKOUT, name);
    const tests = assertionResults
      .filter((one) => one.status === 'failed')
      .map((one) => ({ title: `${file} > ${one.fullName}`, message: one.failureMessages.join('\n') }));
    return tests.length === 0 && status === 'failed' ? [{ title: file, message }] : tests;
  });
}

const firstLines = (message) =>
  message
    .split('\n')
    .filter((line) => !line.includes('node_modules'))
    .slice(0, 30)
    .map((line) => `    ${line}`)
    .join('\n');

await ensureInstalled();
// Once, before tests start servers and threads at the same time.
await ensureProgramBuilt();
if (needsConsole) await ensureConsoleBuilt();
const folder = mkdtempSync(path.join(tmpdir(), 'tyrian-report-'));
const total = { passed: 0, skipped: 0 };
const failures = [];
for (const [index, arguments_] of runs.entries()) {
  const file = path.join(folder, `report-${index}.json`);
  const code = await runVitest(arguments_, file);
  if (code !== 0) process.exitCode = code;
  for (const stuck of stuckFiles(file))
    failures.push({
      title: path.relative(CHECKOUT, stuck),
      message: 'worked on without an end and was stopped',
    });
  const report = readReport(file);
  if (report === null) failures.push({ title: arguments_.join(' '), message: 'vitest did not finish' });
  else {
    const failed = failuresOf(report);
    if (code !== 0 && failed.length === 0)
      failed.push({ title: arguments_.join(' '), message: 'an error outside of the tests; it stands above' });
    total.passed += report.numPassedTests;
    total.skipped += report.numPendingTests + report.numTodoTests;
    failures.push(...failed);
  }
}
rmSync(folder, { recursive: true, force: true });
// Told at the very end: the first run's failures are far above by then.
for (const { title, message } of failures) console.log(`FAILED ${title}\n${firstLines(message)}`);
console.log(`${total.passed} passed, ${failures.length} failed, ${total.skipped} skipped`);
