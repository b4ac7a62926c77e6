import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Plan } from '@tyrian/plan';
import { judgeSigma, readSigma, sigmaLibrary } from '@tyrian/sigma';

// What others wrote and recorded, where it lies beside the checkout: the rules of SigmaHQ, and attacks. None of it is ours
// to keep, so tests and benches do without when it is absent.

const BESIDE = fileURLToPath(new URL('../../../../../../shared/', import.meta.url));
const RULES = `${BESIDE}corpora/sigma-rules.jsonl`;
const RECORDINGS = `${BESIDE}data/events/`;

export const hasCorpus = existsSync(RULES) && existsSync(RECORDINGS);

export interface CorpusRule {
  readonly id: string;
  readonly title: string;
  readonly plan: Plan;
}

export interface CorpusText {
  readonly id: string;
  readonly title: string;
  readonly yaml: string;
}

/** Every rule as it is written. */
export const corpusTexts = (): readonly CorpusText[] =>
  readFileSync(RULES, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as CorpusText);

/** Every rule that runs, compiled. */
export function corpusRules(): readonly CorpusRule[] {
  const documents = corpusTexts().flatMap(({ id, title, yaml }) =>
    readSigma(yaml).map((read) => ({ id, title, read })),
  );
  const library = sigmaLibrary(documents.map(({ read }) => read));
  return documents.flatMap(({ id, title, read }) => {
    const verdict = judgeSigma(read, library, {});
    return verdict.verdict === 'runs' && verdict.compiled ? [{ id, title, plan: verdict.compiled.plan }] : [];
  });
}

/** The records of all recordings that are lines of JSON, each as it was sent. */
export function recordedEvents(): readonly unknown[] {
  return readdirSync(RECORDINGS)
    .filter((name) => name.endsWith('.ndjson.gz'))
    .sort()
    .flatMap((name) =>
      gunzipSync(readFileSync(`${RECORDINGS}${name}`))
        .toString()
        .split('\n')
        .filter((line) => line !== '')
        .map((line): unknown => JSON.parse(line)),
    );
}
