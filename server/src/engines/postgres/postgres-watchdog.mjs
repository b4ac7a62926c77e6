// Runs PostgreSQL as a child and ends it when the process that started this one is gone: our standard input is a
// pipe from it, and the pipe closes however it dies, kill -9 included.
// Arguments: a JSON object {binary, args, uid}.
import { spawn } from 'node:child_process';

const { binary, args, uid } = JSON.parse(process.argv[2]);
const child = spawn(binary, args, {
  cwd: '/',
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { PATH: process.env.PATH, LANG: 'C', TZ: 'UTC' },
  ...(uid === null ? {} : { uid, gid: uid }),
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
