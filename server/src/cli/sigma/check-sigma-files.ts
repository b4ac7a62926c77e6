import { readFileSync } from 'node:fs';
import {
  judgeSigma,
  type LintContext,
  type LintFinding,
  lintSigma,
  type ReadDocument,
  readSigmaBytes,
  sigmaLibrary,
  VERDICTS,
  type Verdict,
} from '@tyrian/sigma';
import { attackIndex } from '../../features/workbooks/attack-index.ts';
import { findSigmaFiles } from './find-sigma-files.ts';

/** What `sigma check` says of one rule. */
export interface CheckedRule {
  readonly file: string;
  /** Null where the rule has none, or could not be read that far. */
  readonly id: string | null;
  readonly title: string | null;
  readonly verdict: Verdict;
  readonly reason?: string;
  /** What the linter found, when it was asked. */
  readonly lint?: readonly CheckedFinding[];
}

/** A finding as a line of the command tells it; lines and columns begin with 1. */
interface CheckedFinding {
  readonly code: string;
  readonly severity: LintFinding['severity'];
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

function findingsOf(text: string, context: LintContext): readonly CheckedFinding[] {
  return lintSigma(text, context).map(({ code, severity, span, message }) => {
    const before = text.slice(0, span.start);
    const line = before.split('\n').length;
    return { code, severity, line, column: span.start - before.lastIndexOf('\n'), message };
  });
}

const headOf = (read: ReadDocument): Pick<CheckedRule, 'id' | 'title'> => {
  const { id, title } = read.ok ? read.document : read;
  return { id: id ?? null, title: title ?? null };
};

/** The verdicts on all rules of the files, on an installation that has every stream and every field. */
function checkRules(files: readonly string[], isLinting: boolean): readonly CheckedRule[] {
  const read = files.flatMap((file) => {
    const bytes = readFileSync(file);
    return readSigmaBytes(bytes).map((document, position) => ({ file, bytes, document, position }));
  });
  const library = sigmaLibrary(read.map(({ document }) => document));
  const attack = isLinting ? attackForLint() : null;
  const twice = idsTwice(read.map(({ document }) => document));
  return read.map(({ file, bytes, document, position }): CheckedRule => {
    const verdict = judgeSigma(document, library, {});
    const said = { file, ...headOf(document), verdict: verdict.verdict };
    const judged = verdict.verdict === 'runs' ? said : { ...said, reason: verdict.reason };
    // The findings of a text stand with its first rule.
    if (!attack) return judged;
    const context = { attack, takenIds: takenBy(document, twice) };
    return { ...judged, lint: position > 0 ? [] : findingsOf(bytes.toString('utf8'), context) };
  });
}

function attackForLint(): NonNullable<LintContext['attack']> {
  const { techniques, tactics } = attackIndex();
  return {
    techniques: new Set(techniques.map(({ id }) => id)),
    tactics: new Set(tactics.map(({ key }) => key)),
  };
}

/** Titles of rules whose id another rule before them has, by id. */
function idsTwice(documents: readonly ReadDocument[]): ReadonlyMap<string, readonly string[]> {
  const byId = new Map<string, string[]>();
  for (const document of documents) {
    const { id, title } = headOf(document);
    if (id !== null) byId.set(id, [...(byId.get(id) ?? []), title ?? '']);
  }
  return new Map([...byId].filter(([, titles]) => titles.length > 1));
}

/** The linter is told of another rule with the same id where there is one. */
function takenBy(document: ReadDocument, twice: ReturnType<typeof idsTwice>): ReadonlyMap<string, string> {
  const { id, title } = headOf(document);
  const titles = id === null ? undefined : twice.get(id);
  if (id === null || !titles) return new Map();
  return new Map([[id, titles.find((one) => one !== title) ?? title ?? '']]);
}

export interface CheckOptions {
  /** A line for each rule, instead of totals with the reasons. */
  readonly json: boolean;
  /** With what the linter finds. */
  readonly lint: boolean;
}

/** Prints what is to say of the rules; answers the exit code. */
export function checkSigmaFiles(paths: readonly string[], { json, lint }: CheckOptions): number {
  const checked = checkRules(findSigmaFiles(paths), lint);
  const lines = json
    ? checked.map((one) => JSON.stringify(one))
    : [...summary(checked), ...findingLines(checked)];
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  return 0;
}

function findingLines(checked: readonly CheckedRule[]): readonly string[] {
  const found = checked.flatMap(({ file, lint = [] }) =>
    lint.map(
      ({ code, severity, line, column, message }) =>
        `${file}:${line}:${column} ${severity} ${code} ${message}`,
    ),
  );
  return found.length === 0 ? [] : ['', ...found];
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
