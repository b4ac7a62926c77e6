import { judgeSigma, kqlOf, readSigma, sigmaLibrary } from '@tyrian/sigma';
import { describe, expect, it } from 'vitest';
import { NOTHING_ADDED } from '../search/named-catalog.ts';
import type { Compiled, QueryService } from '../search/query-service.ts';
import type { ExtFields } from '../search/seen-fields.ts';
import { createRuleCompiler, namedAdditions, namedFields } from './compile-rule-query.ts';
import type { Detection, RuleDefinition, SigmaSource } from './rule-definition.ts';

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
  const ask = (clusterId: string, kql: string, sigma?: SigmaSource) =>
    compile(
      { clusterId, scopeId: 's' } as RuleDefinition,
      { kql: { body: { query: kql } }, ...(sigma ? { sigma } : {}) } as Detection,
    );
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
    // A star in a text asks for no column; where it may be outside of one it does.
    const inText = String.raw`Dns | where Ext.four matches regex "^\\[\".*x\"" and DnsQuery == "search"`;
    expect(namedFields(inText, fields)).toBe('');
    expect(namedFields(`${inText} | project-keep t*`, fields)).toBe('v');
    expect(namedFields(`${inText} // it's * "`, fields)).toBe('v');
    expect(namedFields(String.raw`Dns | where DnsQuery == @"\" | project-keep t*, "x"`, fields)).toBe('v');
  });

  it('[T-data-model] is compiled for its tenant when it names what the tenant added, and for all otherwise', () => {
    const text = { description: '', example: '' };
    const catalog = {
      streams: [{ name: 'Vpn', description: '' }],
      fields: [{ ...text, stream: 'Dns', name: 'Resolver', type: 'string', aliases: ['dns.by'] }],
      tables: [{ name: 'Assets', id: 'a', scope: 's', description: '', uploads: ['u'], columns: [] }],
      elsewhere: [],
    } as const;
    for (const kql of [
      'Vpn | count',
      'Dns | where Resolver == ""',
      "Dns | where ['dns.by'] == ''",
      'Assets',
      'union *',
    ])
      expect(namedAdditions(kql, catalog), kql).not.toBe('');
    for (const kql of ['Dns | where DnsQuery has "x"', 'ProcessEvent', 'VpnGateways | count'])
      expect(namedAdditions(kql, catalog), kql).toBe('');
    const later = { ...catalog, tables: [{ ...catalog.tables[0], uploads: ['u', 'v'] }] };
    expect(namedAdditions('Assets', later)).not.toBe(namedAdditions('Assets', catalog));
  });
});

describe('a rule of Sigma', () => {
  const ruleOf = (field: string) =>
    `title: R\nlogsource: {product: okta}\ndetection:\n  s: {${field}: x}\n  condition: s\n`;
  const sourceOf = (text: string): SigmaSource => ({
    text: `${ruleOf('actor.id')}---\n${text}`,
    position: 1,
  });
  const queryOf = (text: string) => {
    const [read] = readSigma(text);
    const verdict = read && judgeSigma(read, sigmaLibrary([read]), {});
    if (verdict?.verdict !== 'runs' || !verdict.compiled) throw new Error('the rule does not run');
    return { kql: kqlOf(verdict.compiled) ?? '', plan: verdict.compiled.plan };
  };

  it('[T-sigma] is compiled from its text, whose plan is that of its query, and kept', async () => {
    const { compiled, ask } = compilerOver({ a: fieldsWith('1', ['other', 'string']) });
    for (const field of ['TargetUserName', 'client.device']) {
      const { kql, plan } = queryOf(ruleOf(field));
      const first = await ask('a', kql, sourceOf(ruleOf(field)));
      expect(first.plan).toEqual(plan);
      expect(first.columns.map(({ name }) => name)).toEqual(plan.columns.map(({ name }) => name));
      expect(await ask('a', kql, sourceOf(ruleOf(field)))).toBe(first);
    }
    expect(compiled).toEqual([]);
  });

  it('[T-sigma] is compiled from its query where this says more, or the tenant knows the type of a field', async () => {
    const { compiled, ask } = compilerOver({ a: fieldsWith('1', ['client.device', 'long']) });
    const text = ruleOf('client.device');
    const { kql } = queryOf(text);
    expect(kql).toContain('Ext.client.device');
    await ask('a', kql, sourceOf(text));
    const changed = `${queryOf(ruleOf('TargetUserName')).kql}\n| where not(tostring(ActorUsername) =~ "x")`;
    await ask('a', changed, sourceOf(ruleOf('TargetUserName')));
    await ask('a', "Dns | where DnsQuery has 'x'", { text: 'no rule: [', position: 0 });
    expect(compiled).toHaveLength(3);
  });
});
