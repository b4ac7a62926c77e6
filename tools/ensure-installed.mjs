// Installs the packages of the checkout when they are missing or package-lock.json has changed since.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const CHECKOUT = fileURLToPath(new URL('..', import.meta.url));

// Inside node_modules, so that it goes when they go.
const MARK = path.join(CHECKOUT, 'node_modules', '.tyrian-installed');
const LOCK = path.join(CHECKOUT, 'package-lock.json');
const OLDEST_NODE = [20, 20];

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  console.error(`Tyrian needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.version}.`);
  process.exit(1);
}

const lockHash = () => createHash('sha256').update(readFileSync(LOCK)).digest('hex');

function isInstalled() {
  if (existsSync(MARK) && readFileSync(MARK, 'utf8') === lockHash()) return true;
  // Installed by hand: npm writes a copy of the lock into node_modules, at about the same moment.
  const own = path.join(CHECKOUT, 'node_modules', '.package-lock.json');
  return existsSync(own) && statSync(own).mtimeMs + 10_000 >= statSync(LOCK).mtimeMs;
}

/** npm as it was started, or the one in the path. */
function npmCommand() {
  const self = process.env.npm_execpath;
  return self?.endsWith('.js') ? [process.execPath, self] : ['npm'];
}

/** On a machine where npm has no cache yet, none is left behind in the home folder. */
function cacheArguments() {
  const usual = process.env.npm_config_cache ?? path.join(homedir(), '.npm');
  return existsSync(path.join(usual, '_cacache')) ? [] : ['--cache', path.join(tmpdir(), 'tyrian-npm-cache')];
}

function npmCi() {
  const [command, ...first] = npmCommand();
  const args = [
    ...first,
    'ci',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--logs-max=0',
    ...cacheArguments(),
  ];
  return new Promise((resolve) => {
    const started = Date.now();
    const seconds = () => Math.round((Date.now() - started) / 1000);
    const timer = setInterval(() => console.log(`  still installing, ${seconds()} s`), 15_000);
    const child = spawn(command, args, { cwd: CHECKOUT, stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', (error) => {
      clearInterval(timer);
      console.error(`Cannot run ${command}: ${error.message}`);
      resolve(1);
    });
    child.on('close', (code) => {
      clearInterval(timer);
      if (code === 0) console.log(`  installed in ${seconds()} s`);
      resolve(code ?? 1);
    });
  });
}

/** Ends the process with a clear message when the packages cannot be installed. */
export async function ensureInstalled() {
  requireNode();
  if (!isInstalled()) {
    console.log('Installing packages (npm ci; about 1.5 GB, a minute or so) ...');
    if ((await npmCi()) !== 0) {
      console.error('npm ci failed; its messages are above.');
      process.exit(1);
    }
  }
  writeFileSync(MARK, lockHash());
}
