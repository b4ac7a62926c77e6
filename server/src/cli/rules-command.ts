import { type Command, UsageError } from './command.ts';
import { parseOptions } from './parse-options.ts';

const OPTIONS = { json: { type: 'boolean', default: false } } as const;

export const rulesCommand: Command = {
  name: 'rules',
  summary: 'run the samples of rules',
  usage: `Usage: tyrian rules test [--json] FILE|FOLDER...

test    runs the samples of rules (.yml and .yaml, folders with all below them): Sigma rules with a list "samples" or with
        events below regression_data, detections as Tyrian ships them, and workbooks as they are exported. Each sample goes
        through ingest into a scratch engine, where the query of its rule has to match it, or must not. Prints what failed
        and the totals; with --json one line {"file", "rule", "sample", "expect", "matched", "passed", "reason"?} for each
        sample. The exit code is 1 when one fails, and when there is no sample at all`,
  run: async ({ args }) => {
    const { values, positionals } = parseOptions(args, OPTIONS, true);
    const [action, ...files] = positionals;
    if (action !== 'test') throw new UsageError(`rules: ${action ?? 'nothing'} is not test`);
    if (files.length === 0) throw new UsageError('Give a file or a folder of rules.');
    return (await import('./rules/test-rules.ts')).testRules(files, values.json);
  },
};
