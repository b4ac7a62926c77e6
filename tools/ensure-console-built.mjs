// Builds the console when console/dist is missing or older than anything it is made from.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { CHECKOUT } from './ensure-installed.mjs';

const SOURCES = ['console', 'packages', 'package-lock.json'];
const PAGE = path.join(CHECKOUT, 'console', 'dist', 'index.html');

function newestMs(file) {
  const { mtimeMs } = statSync(file);
  if (!statSync(file).isDirectory()) return mtimeMs;
  const inside = readdirSync(file).filter((name) => !['dist', 'node_modules'].includes(name));
  return Math.max(0, ...inside.map((name) => newestMs(path.join(file, name))));
}

export function consoleIsFresh() {
  if (!existsSync(PAGE)) return false;
  const built = statSync(PAGE).mtimeMs;
  return SOURCES.every((source) => newestMs(path.join(CHECKOUT, source)) <= built);
}

/** Runs the build; resolves with its exit code. */
export function buildConsole() {
  const vite = path.join(CHECKOUT, 'node_modules', 'vite', 'bin', 'vite.js');
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
      cwd: path.join(CHECKOUT, 'console'),
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Ends the process with a clear message when the console cannot be built. */
export async function ensureConsoleBuilt() {
  if (consoleIsFresh()) return;
  const started = Date.now();
  console.log('Building the console ...');
  if ((await buildConsole()) !== 0) {
    console.error('The console could not be built; the messages are above.');
    process.exit(1);
  }
  console.log(`  built in ${Math.round((Date.now() - started) / 1000)} s`);
}
