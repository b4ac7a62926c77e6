import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { answerQuery } from './testing/answer-query.ts';
import {
  type GivenAnswer,
  type KustoAnswer,
  kustoAnswers,
  type Outcome,
  outcomeOf,
} from './testing/kusto-answers.ts';

// Queries with the answers of a real Kusto engine, where they lie beside the checkout. `KUSTO_TABLE=FILE` writes what
// differs there, `KUSTO_ONLY=REGEX` runs the queries whose id or text matches.

const only = new RegExp(process.env.KUSTO_ONLY ?? '');
const answers = kustoAnswers().filter((one) => only.test(one.id) || only.test(one.query));

let platform: TestPlatform;
let clusterId: string;

beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
});
afterAll(() => platform.close());

interface Difference {
  readonly outcome: Outcome;
  readonly one: KustoAnswer;
  readonly given: GivenAnswer;
}

async function differences(): Promise<Difference[]> {
  const found: Difference[] = [];
  const left = [...answers];
  const worker = async (): Promise<void> => {
    for (let one = left.shift(); one; one = left.shift()) {
      const given = await answerQuery(platform, clusterId, one.query);
      const outcome = outcomeOf(one, given);
      if (outcome !== 'equal') found.push({ outcome, one, given });
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  return found.sort((a, b) => a.outcome.localeCompare(b.outcome) || a.one.id.localeCompare(b.one.id));
}

function table(found: readonly Difference[]): string {
  const shown = (one: KustoAnswer | GivenAnswer): string =>
    one.error === undefined
      ? `${(one.columns ?? []).map(({ name, type }) => `${name}:${type}`).join(', ')} ${JSON.stringify(one.rows)}`
      : `refuses ${one.error}`;
  return found
    .map(
      ({ outcome, one, given }) =>
        `${outcome} ${one.id}: ${one.query}\n  kusto  ${shown(one)}\n  tyrian ${shown(given)}\n`,
    )
    .join('\n');
}

describe.skipIf(answers.length === 0)('[R-A] answers of a real Kusto engine', () => {
  it('[R-A] are given by 99 in 100, the order of sets apart', async () => {
    const found = await differences();
    const counts: Record<string, number> = { equal: answers.length - found.length };
    for (const { outcome } of found) counts[outcome] = (counts[outcome] ?? 0) + 1;
    if (process.env.KUSTO_TABLE)
      writeFileSync(process.env.KUSTO_TABLE, `${JSON.stringify(counts)}\n\n${table(found)}`);
    const right = (counts.equal ?? 0) + (counts.order ?? 0);
    expect(right / answers.length, JSON.stringify(counts)).toBeGreaterThanOrEqual(0.99);
  }, 600_000);
});
