import { runCommand } from './cli/run-command.ts';

// The program: one command line, one exit code.

process.exitCode = await runCommand(process.argv.slice(2), process.env);
