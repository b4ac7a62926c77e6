import { type Command, UsageError } from './command.ts';
import { parseOptions } from './parse-options.ts';

const OPTIONS = {
  json: { type: 'boolean', default: false },
  lint: { type: 'boolean', default: false },
  batch: { type: 'string' },
  out: { type: 'string' },
  tenant: { type: 'string' },
  scope: { type: 'string' },
  pack: { type: 'string' },
} as const;

export const sigmaCommand: Command = {
  name: 'sigma',
  summary: 'say which Sigma rules run and why others do not; import them; hold rules against events',
  usage: `Usage: tyrian sigma check [--json] [--lint] FILE|FOLDER...
       tyrian sigma import FOLDER|ARCHIVE [--tenant T] [--scope S] [--pack NAME]
       tyrian sigma match --batch FILE.jsonl --out FILE.jsonl

check   reads rules (.yml and .yaml, folders with all below them) and gives each a verdict: runs, missing field,
        missing source, unsupported, invalid. Prints the totals and what does not run; with --json one line
        {"file", "id", "title", "verdict", "reason"?} for each rule. With --lint it says besides what is odd, expensive or
        against the customs of Sigma, with file, line and column; the lines of --json have "lint": [{"code", "severity",
        "line", "column", "message"}] then
import  hands the rules of a folder, or an archive (tar, tar.gz, zip), to the import of a tenant, and prints its report:
        rules by verdict, tactic and log source, and what has changed since the last import of the pack. Tenant and
        scope are ids or names, and may be left out when there is only one; the pack has the name of the folder
match   reads lines {"id", "rules": [yaml], "events": [json]}, sends the events through ingest into a scratch engine,
        runs the compiled rules there, and writes lines {"id", "fired": [{"rule", "event"}],
        "refused": [{"rule", "reason"}]}; numbers are positions in the two lists`,
  run: async ({ args, env }) => {
    const { values, positionals } = parseOptions(args, OPTIONS, true);
    const [action, ...files] = positionals;
    if (action === 'check') {
      if (files.length === 0) throw new UsageError('Give a file or a folder of rules.');
      return (await import('./sigma/check-sigma-files.ts')).checkSigmaFiles(files, values);
    }
    if (action === 'match') {
      const { batch, out } = values;
      if (batch === undefined || out === undefined || files.length > 0)
        throw new UsageError('Give --batch and --out.');
      return (await import('./sigma/match-sigma-batch.ts')).matchSigmaBatch(batch, out);
    }
    if (action === 'import') {
      const { tenant, scope, pack } = values;
      const [source, ...others] = files;
      if (source === undefined || others.length > 0) throw new UsageError('Give one folder or archive.');
      const { importSigmaFolder } = await import('./sigma/import-sigma-folder.ts');
      return importSigmaFolder({ source, tenant, scope, pack }, env);
    }
    throw new UsageError(`sigma: ${action ?? 'nothing'} is none of check, import and match`);
  },
};
