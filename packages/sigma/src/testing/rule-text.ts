import {
  type CompiledRule,
  judgeSigma,
  kqlOf,
  type RuleVerdict,
  readSigma,
  type SigmaReach,
  sigmaLibrary,
} from '../index.ts';

// Rules for tests: the lines of a detection within a rule of process creations on Windows.

/** A whole rule around the lines of its detection. */
export const ruleText = (
  detection: string,
  logSource = 'product: windows, category: process_creation',
): string =>
  `title: A rule\nlogsource: {${logSource}}\ndetection:\n${detection
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')}\n`;

/** The verdict on the first document of a text. */
export function verdictOf(text: string, reach: SigmaReach = {}): RuleVerdict {
  const documents = readSigma(text);
  const [first] = documents;
  if (!first) throw new Error('The text has no document');
  return judgeSigma(first, sigmaLibrary(documents), reach);
}

/** What a rule with this detection asks, as KQL: the condition alone. */
export function conditionOf(detection: string, logSource?: string, reach: SigmaReach = {}): string {
  const verdict = verdictOf(ruleText(detection, logSource), reach);
  if (verdict.verdict !== 'runs') throw new Error(`${verdict.verdict}: ${verdict.reason}`);
  return (kqlOf(verdict.compiled as CompiledRule) ?? '').split('\n| where ').at(-1) ?? '';
}
