import { runCommand } from './cli/run-command.ts';

// The program: one command line, one exit code.

const LINGER_MS = 1_000;

process.exitCode = await runCommand(process.argv.slice(2), process.env);
// Work is done and saved; a connection that somebody keeps open must not keep the process alive.
setTimeout(() => process.exit(), LINGER_MS).unref();
