import { describe, expect, it } from 'vitest';
import { NOTHING_ADDED } from '../search/named-catalog.ts';
import type { Compiled, QueryService } from '../search/query-service.ts';
import type { ExtFields } from '../search/seen-fields.ts';
import { createRuleCompiler, namedFields } from './compile-rule-query.ts';
import type { Detection, RuleDefinition } from './rule-definition.ts';

// A query of a rule is compiled again only when what it compiles to may be another.

type Fields = Omit<ExtFields, 'fields'>;

const fieldsWith = (
  version: string,
  ...paths: readonly (readonly [string, 'string' | 'long'])[]
): Fields => ({
  version,
  extFields: paths.map(([path, type]) => ({ stream: 'Dns', path, type })),
});

function compilerOver(fields: Record<string, Fields>) {
  const compiled: string[] = [];
  const queries: Pick<QueryService, 'compile' | 'fieldsOf' | 'catalogOf'> = {
    catalogOf: async () => NOTHING_ADDED,
    compile: async ({ kql, clusterId, knowsNoFields }) => {
      compiled.push(`${clusterId} ${kql}`);
      const diagnostics = knowsNoFields && kql.includes('theirs') ? [{ severity: 'warning' }] : [];
      return { ok: true, plan: {}, diagnostics, questions: [] } as unknown as Compiled;
    },
    fieldsOf: async (clusterId) => fields[clusterId] as ExtFields,
  };
  const compile = createRuleCompiler(queries, undefined);
  const ask = (clusterId: string, kql: string) =>
    compile({ clusterId, scopeId: 's' } as RuleDefinition, { kql: { body: { query: kql } } } as Detection);
  return { compiled, ask };
}

describe('a query of a rule', () => {
  it('[R-E2] that names no field is compiled once for all tenants and for good', async () => {
    const { compiled, ask } = compilerOver({});
    for (const tenant of ['a', 'b', 'a']) await ask(tenant, "Dns | where DnsQuery has 'x'");
    expect(compiled).toHaveLength(1);
  });

  it('[R-E2] that names fields is compiled again when one of these has another type', async () => {
    const fields: Record<string, Fields> = {
      a: fieldsWith('1', ['colour', 'string']),
      b: fieldsWith('2', ['colour', 'string'], ['size', 'long']),
    };
    const { compiled, ask } = compilerOver(fields);
    const kql = "Dns | where Ext.colour == 'red'";
    for (const tenant of ['a', 'b', 'a', 'b']) await ask(tenant, kql);
    expect(compiled).toHaveLength(1);
    fields.a = fieldsWith('3', ['colour', 'long']);
    await ask('a', kql);
    await ask('b', kql);
    expect(compiled).toHaveLength(2);
  });

  it('that a field of the tenant explains is compiled with the fields of the tenant', async () => {
    const { compiled, ask } = compilerOver({ a: fieldsWith('1', ['theirs', 'string']) });
    await ask('a', 'Dns | where theirs == 1');
    await ask('a', 'Dns | where theirs == 1');
    expect(compiled).toHaveLength(2);
  });

  it('that asks for the time is compiled each time', async () => {
    const { compiled, ask } = compilerOver({});
    for (let turn = 0; turn < 2; turn += 1) await ask('a', 'Dns | where TimeGenerated > ago(1h)');
    expect(compiled).toHaveLength(2);
  });

  it('names fields by any part of their path; one that names none may ask for all', () => {
    const fields = fieldsWith('v', ['one.two', 'string'], ['a-b', 'long'], ['three', 'string']);
    expect(namedFields('Dns | where Ext.one.two == 1', fields)).toBe('Dns one.two string');
    expect(namedFields("Dns | where Ext['a-b'] == 1", fields)).toBe('Dns a-b long');
    expect(namedFields('Dns | where Ext.four == 1', fields)).toBe('');
    expect(namedFields('Dns | project-keep t*', fields)).toBe('v');
  });
});
