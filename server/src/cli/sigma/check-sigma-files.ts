import { readFileSync } from 'node:fs';
import {
  judgeSigma,
  type ReadDocument,
  readSigmaBytes,
  sigmaLibrary,
  VERDICTS,
  type Verdict,
} from '@tyrian/sigma';
import { findSigmaFiles } from './find-sigma-files.ts';

/** What `sigma check` says of one rule. */
export interface CheckedRule {
  readonly file: string;
  /** Null where the rule has none, or could not be read that far. */
  readonly id: string | null;
  readonly title: string | null;
  readonly verdict: Verdict;
  readonly reason?: string;
}

const headOf = (read: ReadDocument): Pick<CheckedRule, 'id' | 'title'> => {
  const { id, title } = read.ok ? read.document : read;
  return { id: id ?? null, title: title ?? null };
};

/** The verdicts on all rules of the files, on an installation that has every stream and every field. */
function checkRules(files: readonly string[]): readonly CheckedRule[] {
  const read = files.flatMap((file) =>
    readSigmaBytes(readFileSync(file)).map((document) => ({ file, document })),
  );
  const library = sigmaLibrary(read.map(({ document }) => document));
  return read.map(({ file, document }): CheckedRule => {
    const verdict = judgeSigma(document, library, {});
    const said = { file, ...headOf(document), verdict: verdict.verdict };
    return verdict.verdict === 'runs' ? said : { ...said, reason: verdict.reason };
  });
}

/** Prints a line for each rule (`json`), or totals with the reasons; resolves with the exit code. */
export function checkSigmaFiles(paths: readonly string[], json: boolean): number {
  const checked = checkRules(findSigmaFiles(paths));
  const lines = json ? checked.map((one) => JSON.stringify(one)) : summary(checked);
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  return 0;
}

function summary(checked: readonly CheckedRule[]): readonly string[] {
  const totals = VERDICTS.map((verdict) => {
    const count = checked.filter((one) => one.verdict === verdict).length;
    return `${String(count).padStart(6)}  ${verdict}`;
  });
  const reasons = new Map<string, CheckedRule[]>();
  for (const one of checked)
    if (one.reason !== undefined) {
      const key = `${one.verdict}: ${one.reason}`;
      reasons.set(key, [...(reasons.get(key) ?? []), one]);
    }
  const why = [...reasons]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([reason, rules]) => `${String(rules.length).padStart(6)}  ${reason} (${rules[0]?.file})`);
  return [`${checked.length} rules`, ...totals, ...(why.length > 0 ? ['', ...why] : [])];
}
