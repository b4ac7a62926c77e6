import { decodeRow, printQuery } from '@tyrian/clickhouse-sql';
import { compileKql, eventSchema, schemaFound } from '@tyrian/kql';
import { type Plan, scopeToTenant } from '@tyrian/plan';
import type { TestPlatform } from '../../../engines/testing/index.ts';
import { AppError } from '../../../platform/app-error.ts';
import { settlePlugins } from '../settle-plugins.ts';
import type { GivenAnswer } from './kusto-answers.ts';

const schema = eventSchema([]);

/** Compiles a query and runs it on the engine as a user of the tenant would; a refusal is its message. */
export async function answerQuery(
  platform: TestPlatform,
  clusterId: string,
  query: string,
): Promise<GivenAnswer> {
  const rowsOf = async (plan: Plan) => {
    const printed = printQuery(scopeToTenant(plan, { database: `tenant_${clusterId}`, scopes: ['s1'] }));
    const { rows } = await platform.eventStore.rows(clusterId, {
      sql: printed.sql,
      params: printed.params,
      settings: printed.settings,
      scopes: ['s1'],
    });
    return rows.map((row) => decodeRow(printed.columns, row));
  };
  const options = { schema, now: new Date(), unknownColumns: 'warn' } as const;
  try {
    const compiled = await settlePlugins({
      compile: async (pluginSchemas) => compileKql(query, { ...options, pluginSchemas }),
      ask: rowsOf,
      columnsOf: async (question, rows) => schemaFound(question, rows),
    });
    return { columns: compiled.columns, rows: await rowsOf(compiled.plan) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error: error.message };
  }
}
