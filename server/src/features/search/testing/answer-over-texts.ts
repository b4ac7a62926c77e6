import type { TestPlatform } from '../../../engines/testing/index.ts';
import { answerQuery } from './answer-query.ts';

/** A text as KQL writes it. */
export const quoted = (text: string): string => JSON.stringify(text);

/** Texts by rows, and what is asked of each row. */
interface OverTexts {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** What follows the table: `| project …`. */
  readonly query: string;
}

/** The rows of a query over texts. Throws when it is refused. */
export async function answerOverTexts(
  platform: TestPlatform,
  clusterId: string,
  { columns, rows, query }: OverTexts,
): Promise<readonly (readonly unknown[])[]> {
  const names = columns.map((column) => `${column}: string`).join(', ');
  const table = `datatable(${names})[${rows.flat().map(quoted).join(', ')}]`;
  const answer = await answerQuery(platform, clusterId, `${table} ${query}`);
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer.rows ?? [];
}
