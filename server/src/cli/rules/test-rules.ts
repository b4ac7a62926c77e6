import { createSampleRunner, SAMPLES_ALONE } from '../../features/samples/run-samples.ts';
import { SAMPLE_DATABASE } from '../../features/samples/sample-events.ts';
import { openScratchQueries } from '../../features/search/scratch-queries.ts';
import { systemClock } from '../../platform/clock.ts';
import { type RuleOfFile, readRuleFiles } from './read-rule-files.ts';

// `rules test`: the samples of rules of files, on an engine of its own.

/** What is said of one sample. */
interface TestedSample {
  readonly file: string;
  readonly rule: string;
  readonly sample: string;
  readonly expect: string;
  readonly matched: boolean;
  readonly passed: boolean;
  readonly reason?: string;
}

/** Runs the samples and prints what came of them; resolves with the exit code. */
export async function testRules(paths: readonly string[], json: boolean): Promise<number> {
  const rules = readRuleFiles(paths);
  const withSamples = rules.filter(({ samples }) => samples.length > 0);
  const tested = withSamples.length === 0 ? [] : await runAll(withSamples);
  const unreadable = rules.filter(({ reason, samples }) => reason !== undefined && samples.length === 0);
  const lines = json
    ? tested.map((one) => JSON.stringify(one))
    : summary(tested, rules.length, withSamples.length, unreadable);
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  const isGood = tested.length > 0 && tested.every(({ passed }) => passed) && unreadable.length === 0;
  return isGood ? 0 : 1;
}

async function runAll(rules: readonly RuleOfFile[]): Promise<readonly TestedSample[]> {
  const { events, queries, close } = await openScratchQueries('tyrian-rules-', SAMPLE_DATABASE);
  try {
    const run = createSampleRunner({ events, queries, clock: systemClock });
    const results = await run(SAMPLES_ALONE, rules);
    return rules.flatMap(({ file, name, reason }, at) =>
      (results[at] ?? []).map((one): TestedSample => {
        const why = one.problem ? (reason ?? one.problem.text) : undefined;
        const { expect, matched, passed } = one;
        return {
          ...{ file, rule: name, sample: one.name, expect, matched, passed },
          ...(why === undefined ? {} : { reason: why }),
        };
      }),
    );
  } finally {
    await close();
  }
}

function summary(
  tested: readonly TestedSample[],
  rules: number,
  withSamples: number,
  unreadable: readonly RuleOfFile[],
): readonly string[] {
  const failed = tested.filter(({ passed }) => !passed);
  const told = failed.map(({ file, rule, sample, matched, reason }) => {
    const what = reason ?? (matched ? 'matched, and must not' : 'did not match');
    return `FAILED  ${file}: ${rule}: ${sample}: ${what}`;
  });
  return [
    ...unreadable.map(({ file, reason }) => `FAILED  ${file}: ${reason}`),
    ...told,
    `${rules} rules, ${withSamples} with samples`,
    `${tested.length - failed.length} samples passed, ${failed.length} failed`,
  ];
}
