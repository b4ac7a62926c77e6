import { existsSync, readFileSync } from 'node:fs';
import { corpusFile } from '../server/src/features/search/testing/kusto-answers.ts';
import { nativeDetections } from '../server/src/features/workbooks/native-content.ts';

// Texts of hunting queries for benches: those that others published, where the folder that `TYRIAN_CORPORA` names has
// them; they are read there and never copied. Else those of the shipped detections, changed so that each is new.

interface WildQuery {
  readonly repo: string;
  readonly query: string;
  readonly skip?: boolean;
  readonly needs?: unknown;
  readonly dup_of?: string;
}

interface HuntingQueries {
  /** Where they come from, in words. */
  readonly from: string;
  readonly queries: readonly string[];
}

/** Those of the collections whose name holds `repo` that can run: none that its author left unfinished, each once. */
export function huntingQueries(repo = ''): HuntingQueries {
  const published = publishedQueries();
  if (published.length === 0) return { from: 'shipped detections, changed', queries: shippedQueries() };
  const queries = published
    .filter((one) => one.repo.includes(repo) && !one.skip && !one.needs && !one.dup_of)
    .map(({ query }) => query);
  return { from: `${queries.length} ${repo ? `${repo} ` : ''}hunting queries`, queries };
}

/** Every text that somebody may paste, those of the shipped detections among them; each once. */
export function pastedQueries(): HuntingQueries {
  const published = new Set(publishedQueries().map(({ query }) => query));
  const shipped = shippedQueries();
  const queries = [...published, ...shipped];
  return { from: `${published.size} published queries and ${shipped.length} shipped detections`, queries };
}

function publishedQueries(): readonly WildQuery[] {
  const file = corpusFile('kql-wild.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as WildQuery);
}

const shippedQueries = (): readonly string[] =>
  nativeDetections().map(({ draft }, n) => {
    const block = draft.blocks.find(({ type }) => type === 'kql');
    return `${block?.type === 'kql' ? block.body.query : ''}\n| extend FirstRun = ${n}`;
  });

/** At most so many of them, spread over the whole. */
export function evenly(queries: readonly string[], most: number): readonly string[] {
  const count = Math.min(most, queries.length);
  return Array.from({ length: count }, (_, n) => queries[Math.floor((n * queries.length) / count)] ?? '');
}
