import { type Command, UsageError } from './command.ts';
import { parseOptions } from './parse-options.ts';

const OPTIONS = {
  json: { type: 'boolean', default: false },
  batch: { type: 'string' },
  out: { type: 'string' },
} as const;

export const sigmaCommand: Command = {
  name: 'sigma',
  summary: 'say which Sigma rules run and why others do not; hold rules against events',
  usage: `Usage: tyrian sigma check [--json] FILE|FOLDER...
       tyrian sigma match --batch FILE.jsonl --out FILE.jsonl

check   reads rules (.yml and .yaml, folders with all below them) and gives each a verdict: runs, missing field,
        missing source, unsupported, invalid. Prints the totals and what does not run; with --json one line
        {"file", "id", "title", "verdict", "reason"?} for each rule
match   reads lines {"id", "rules": [yaml], "events": [json]}, sends the events through ingest into a scratch engine,
        runs the compiled rules there, and writes lines {"id", "fired": [{"rule", "event"}],
        "refused": [{"rule", "reason"}]}; numbers are positions in the two lists`,
  run: async ({ args }) => {
    const { values, positionals } = parseOptions(args, OPTIONS, true);
    const [action, ...files] = positionals;
    if (action === 'check') {
      if (files.length === 0) throw new UsageError('Give a file or a folder of rules.');
      return (await import('./sigma/check-sigma-files.ts')).checkSigmaFiles(files, values.json);
    }
    if (action === 'match') {
      const { batch, out } = values;
      if (batch === undefined || out === undefined || files.length > 0)
        throw new UsageError('Give --batch and --out.');
      return (await import('./sigma/match-sigma-batch.ts')).matchSigmaBatch(batch, out);
    }
    throw new UsageError(`sigma: ${action ?? 'nothing'} is neither check nor match`);
  },
};
