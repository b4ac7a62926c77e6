import { readFileSync, writeFileSync } from 'node:fs';

/** Longer than any test or hook may take; one has half an hour. */
const QUIET_MS = 35 * 60_000;
/** Names the file that the names of those at work are written to, a line each. */
export const STUCK_FILES_VARIABLE = 'TYRIAN_STUCK_FILES';
/** How often that is looked at. */
const LOOK_MS = 5_000;

/**
 * Stops a run in which nothing begins or ends for minutes, and names the files that were at work: a test that works on and
 * on without waiting for anything is not ended by its own limit, because that would be noticed by the thread it keeps.
 * @implements {import('vitest/node').Reporter}
 */
export default class StuckTestsReporter {
  #quietMs;
  #vitest;
  #timer;
  #lastMs = 0;
  #atWork = new Set();

  constructor({ quietMs = QUIET_MS } = {}) {
    this.#quietMs = quietMs;
  }

  onInit(vitest) {
    this.#vitest = vitest;
  }

  onTestRunStart() {
    this.#lastMs = Date.now();
    this.#timer = setInterval(() => this.#look(), Math.min(LOOK_MS, this.#quietMs));
  }

  onTestModuleStart({ moduleId }) {
    this.#lastMs = Date.now();
    this.#atWork.add(moduleId);
  }

  onTestCaseReady() {
    this.#lastMs = Date.now();
  }

  onTestCaseResult() {
    this.#lastMs = Date.now();
  }

  onTestModuleEnd({ moduleId }) {
    this.#lastMs = Date.now();
    this.#atWork.delete(moduleId);
  }

  onTestRunEnd() {
    clearInterval(this.#timer);
  }

  #look() {
    if (Date.now() - this.#lastMs < this.#quietMs) return;
    clearInterval(this.#timer);
    const files = [...this.#atWork];
    console.error([`Nothing began or ended for ${this.#quietMs / 1000} s. At work:`, ...files].join('\n  '));
    const report = process.env[STUCK_FILES_VARIABLE];
    if (report !== undefined) writeFileSync(report, files.join('\n'));
    process.exitCode = 1;
    // Files that were not at work still run, in new workers; the report tells of those that were.
    if (killWorkers() === 0) this.#vitest.exit(true);
  }
}

/** Ends the processes that run test files, not the engines; how many. None is seen where the system has no /proc. */
function killWorkers() {
  try {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8');
    const workers = children.split(' ').filter((id) => id !== '' && isWorker(id));
    for (const id of workers) process.kill(Number(id), 'SIGKILL');
    return workers.length;
  } catch {
    return 0;
  }
}

function isWorker(id) {
  return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('/vitest/dist/workers/');
}
