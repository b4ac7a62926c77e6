import type { TenantCatalog } from '@tyrian/catalog';
import { visitPlan } from '@tyrian/plan';
import { describe, expect, it } from 'vitest';
import { compileKql } from '../compile-kql.ts';
import { completeKql } from '../editor/complete-kql.ts';
import { hoverKql } from '../editor/hover-kql.ts';
import { eventSchema } from '../event-schema.ts';

const text = { description: '', example: '' };
const table = {
  name: 'Assets',
  id: 'assets',
  scope: 'main',
  description: 'Who owns what',
  uploads: ['u1'],
  columns: [
    { name: 'Ip', type: 'string' },
    { name: 'Criticality', type: 'long' },
  ],
} as const;
const CATALOG: TenantCatalog = {
  streams: [{ name: 'Vpn', description: 'Tunnels' }],
  fields: [
    { ...text, stream: 'Vpn', name: 'TunnelNumber', type: 'long', aliases: ['tunnel.id'] },
    { ...text, stream: 'Dns', name: 'Resolver', type: 'string', aliases: [] },
  ],
  tables: [table],
  elsewhere: [{ ...table, id: 'of-other', scope: 'other', name: 'OtherAssets' }],
};
const schema = eventSchema([], undefined, [], CATALOG);
const compile = (query: string, reach?: Parameters<typeof compileKql>[1]['reach']) =>
  compileKql(query, {
    schema,
    now: new Date(0),
    unknownColumns: 'warn',
    ...(reach ? { reach } : {}),
  });

/** The compiled plan; a refusal fails with its words. */
function planOf(query: string, reach?: Parameters<typeof compile>[1]) {
  const result = compile(query, reach);
  if (!result.ok) throw new Error(result.diagnostics.map(({ message }) => message).join('; '));
  expect(result.diagnostics).toEqual([]);
  return result.plan;
}

const scansOf = (query: string, reach?: Parameters<typeof compile>[1]): unknown[] => {
  const found: unknown[] = [];
  visitPlan(planOf(query, reach).root, (node) => {
    if (node.kind === 'scan') found.push(node.stream);
    if (node.kind === 'store-scan') found.push([node.store, node.scope]);
  });
  return found;
};

describe('what a tenant added to its catalog', () => {
  it('[T-data-model] a stream of the tenant is a table, with typed columns over its fields and all columns of events', () => {
    expect(
      scansOf('Vpn | where TunnelNumber > 3 and SrcIpAddr == "10.0.0.1" | project TunnelNumber, Raw'),
    ).toEqual(['Vpn']);
    expect(compile('Vpn | project TunnelNumber')).toMatchObject({
      columns: [{ name: 'TunnelNumber', type: 'long' }],
    });
  });

  it('[T-data-model] a field is a column of its stream and of the union, and by its other names; elsewhere it is read from Ext', () => {
    expect(scansOf('Dns | where Resolver has "x" | summarize count() by Resolver')).toEqual(['Dns']);
    expect(scansOf('Events | where TunnelNumber == 1 or Resolver == ""')).toEqual([null]);
    expect(scansOf('Vpn | where ["tunnel.id"] == 7')).toEqual(['Vpn']);
    const other = compile('Dns | where TunnelNumber == "7"');
    expect(other).toMatchObject({ ok: true, diagnostics: [{ severity: 'warning' }] });
  });

  it('[T-data-model] a union of everything reads a stream of the tenant too, each event once', () => {
    const found = scansOf('union * | where TimeGenerated > ago(1h) | summarize count()');
    expect(found.filter((name) => name === 'Vpn')).toHaveLength(1);
    expect(found.some(Array.isArray)).toBe(false);
    expect(scansOf('search "x" | where Timestamp > ago(1h)')).toEqual([null]);
  });

  it('[T-eventstores] an uploaded table is joined and asked in like any other, and read in no other scope', () => {
    expect(scansOf('Dns | join kind=inner Assets on $left.SrcIpAddr == $right.Ip')).toEqual([
      'Dns',
      ['assets', 'main'],
    ]);
    expect(scansOf('Dns | where SrcIpAddr in ((Assets | where Criticality > 3 | project Ip))')).toEqual([
      'Dns',
      ['assets', 'main'],
    ]);
    expect(scansOf('table("Assets") | count')).toEqual([['assets', 'main']]);
    expect(compile('OtherAssets | count').ok).toBe(false);
  });

  it('[T-eventstores] a table of another scope is reached by naming the scope, and by no other way', () => {
    const reach = {
      tenant: [],
      scopes: [
        { id: 'main', name: 'Main' },
        { id: 'other', name: 'Other' },
      ],
    };
    expect(scansOf('workspace("Other").OtherAssets | count', reach)).toEqual([['of-other', 'other']]);
    expect(compile('workspace("Other").Assets | count', reach).ok).toBe(false);
    expect(compile('workspace("Other").OtherAssets | count').ok).toBe(false);
  });

  it('[T-data-model][T-eventstores] the editor offers the names at once, and their columns', () => {
    const labels = (query: string) =>
      completeKql(query, query.length, schema).suggestions.map(({ label }) => label);
    expect(labels('')).toEqual(expect.arrayContaining(['Vpn', 'Assets']));
    expect(labels('Vpn | where Tunn')).toContain('TunnelNumber');
    expect(labels('Assets | where ')).toEqual(expect.arrayContaining(['Ip', 'Criticality']));
    expect(hoverKql('Assets | count', 2, schema)).toBe('Assets\nWho owns what');
    expect(labels('Dns | where ')).not.toContain('TunnelNumber');
  });
});
