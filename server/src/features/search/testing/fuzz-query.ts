import { type PrintedQuery, printQuery } from '@tyrian/clickhouse-sql';
import { compileKql, eventSchema } from '@tyrian/kql';
import { scopeToTenant, validatePlan } from '@tyrian/plan';
import { MARKED } from './mutated-query.ts';

// Takes one text all the way to SQL and says what is wrong with how that went, if anything.

const schema = eventSchema([
  { stream: 'Dns', path: 'RuleName', type: 'string' },
  { stream: 'Dns', path: 'a.b', type: 'long' },
]);
const now = new Date('2026-01-01T00:00:00Z');

export interface FuzzOutcome {
  /** Null when the text was refused. */
  readonly printed: PrintedQuery | null;
  readonly faults: readonly string[];
  /** Time of the processor, which a busy machine does not stretch. */
  readonly ms: number;
}

/** Compiles, checks and prints a text for a database. */
export function fuzzQuery(text: string, database: string, unknownColumns: 'warn' | 'error'): FuzzOutcome {
  const began = process.cpuUsage();
  const faults: string[] = [];
  let printed: PrintedQuery | null = null;
  try {
    const result = compileKql(text, { schema, now, unknownColumns });
    for (const { code, span, message } of result.diagnostics) {
      if (code === 'TYR199') faults.push(`a fault of ours: ${message}`);
      if (!(span.start >= 0 && span.start <= span.end && span.end <= text.length))
        faults.push(`a place outside the text: ${code} ${span.start}-${span.end}`);
    }
    if (result.ok) {
      faults.push(
        ...validatePlan(result.plan)
          .slice(0, 1)
          .map((fault) => `the plan is not sound: ${fault}`),
      );
      const boundary = { database, scopes: ['s1', 's2'], timeRange: { from: 0, to: 1 }, maxRows: 100 };
      printed = printQuery(scopeToTenant(result.plan, boundary));
      faults.push(...faultsOfText(printed.sql));
    } else if (!result.diagnostics.some((one) => one.severity === 'error')) {
      faults.push('refused without an error');
    }
  } catch (error) {
    faults.push(`thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  const { user, system } = process.cpuUsage(began);
  return { printed, faults, ms: (user + system) / 1000 };
}

function faultsOfText(sql: string): string[] {
  // A path below Ext is a quoted name, and names may say anything.
  const marked = MARKED.exec(sql.replace(/`(?:[^`\\]|\\.)*`/g, ''));
  return marked ? [`the literal ${marked[0]} is in the SQL`] : [];
}
