// Runs PostgreSQL as a child and ends it when the process that started this one is gone: our standard input is a
// pipe from it, and the pipe closes however it dies, kill -9 included.
// Arguments: a JSON object {binary, args, uid}.
import { spawn, spawnSync } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';

// The thread that made this process may go before all others; PostgreSQL does not.
if (getPriority() < 0) setPriority(0);

const { binary, args, uid } = JSON.parse(process.argv[2]);
const identity = uid === null ? {} : { uid, gid: uid };

// Where the system has setpriv, the kernel ends PostgreSQL even when this watchdog itself is killed.
const SETPRIV = '/usr/bin/setpriv';
const withKernel = spawnSync(SETPRIV, ['--pdeathsig', 'INT', 'true'], identity).status === 0;
const command = withKernel ? [SETPRIV, '--pdeathsig', 'INT', binary, ...args] : [binary, ...args];

const child = spawn(command[0], command.slice(1), {
  cwd: '/',
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { PATH: process.env.PATH, LANG: 'C', TZ: 'UTC' },
  ...identity,
});

// A standard output or error that nobody reads any more must not end the watchdog before its work is done.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

let stopping = false;
function stop() {
  if (stopping) return;
  stopping = true;
  child.kill('SIGINT'); // fast shutdown: ends the connections, writes a checkpoint
  setTimeout(() => child.kill('SIGQUIT'), 8000).unref();
}

process.on('SIGTERM', stop).on('SIGINT', stop).on('SIGHUP', stop);
process.stdin.on('end', stop).on('close', stop).on('error', stop).resume();
child.on('error', (error) => {
  console.error(`cannot run ${binary}: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
