import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest';
import { compileKql } from './compile-kql.ts';
import { CALL_SAMPLES } from './documented/call-samples.ts';
import { eventSchema } from './event-schema.ts';
import { type KustoCode, kusto } from './kusto.ts';
import { KUSTO_SHAPES } from './kusto-shapes.ts';
import {
  type ChildName,
  child,
  children,
  isKind,
  kindOf,
  type ListName,
  type OptionalChildName,
  optionalChild,
  type Syntax,
  type SyntaxKind,
  within,
} from './syntax.ts';

const schema = eventSchema([]);

const treeOf = (text: string): Syntax => kusto.KustoCode.ParseAndAnalyze(text, schema.globals).Syntax;

function firstOf<K extends keyof typeof KUSTO_SHAPES>(kind: K, text: string): Syntax<K> {
  for (const node of within(treeOf(text))) if (isKind(node, kind)) return node;
  throw new Error(`no ${kind} in ${text}`);
}

/** The node with another child, which the tree itself never has. */
const changed = <K extends keyof typeof KUSTO_SHAPES>(node: Syntax<K>, property: string, value: unknown) =>
  Object.create(node, { [property]: { value } }) as Syntax<K>;

describe('reading the tree of the language service', () => {
  const filter = firstOf('FilterOperator', "Dns | where DnsQuery == 'a'");
  const take = firstOf('SummarizeOperator', 'Dns | summarize count()');

  it('throws for a required child that is missing, with the kind of the node and the name of the child', () => {
    expect(kindOf(child(filter, 'Condition'))).toBe('BinaryExpression');
    expect(() => child(changed(filter, 'Condition', null), 'Condition')).toThrow(
      "Condition is missing in FilterOperator of Kusto's tree",
    );
    expect(() => children(changed(filter, 'Parameters', null), 'Parameters')).toThrow(
      'Parameters is missing in FilterOperator',
    );
  });

  it('throws for a name that the library does not have, required or not, in a list or alone', () => {
    for (const read of [
      () => child(changed(filter, 'Condition', undefined), 'Condition'),
      () => children(changed(filter, 'Parameters', undefined), 'Parameters'),
      () => optionalChild(changed(take, 'ByClause', undefined), 'ByClause'),
    ])
      expect(read).toThrow(/has no child (Condition|Parameters|ByClause)$/);
  });

  it('gives null for an optional child that is absent', () => {
    expect(optionalChild(take, 'ByClause')).toBeNull();
    expect(
      optionalChild(firstOf('SummarizeOperator', 'Dns | summarize by DnsQuery'), 'ByClause'),
    ).not.toBeNull();
  });

  it('takes no name but those of the kind of node, each in its sort, as the compiler sees it', () => {
    expectTypeOf<ChildName<'FilterOperator'>>().toEqualTypeOf<'Condition'>();
    expectTypeOf<ListName<'FilterOperator'>>().toEqualTypeOf<'Parameters'>();
    expectTypeOf<OptionalChildName<'FilterOperator'>>().toBeNever();
    expectTypeOf<OptionalChildName<'SummarizeOperator'>>().toEqualTypeOf<'ByClause'>();
    // Of several kinds what all of them have; of a node that nobody has asked for its kind, nothing.
    expectTypeOf<ChildName<'FilterOperator' | 'SummarizeOperator'>>().toBeNever();
    expectTypeOf<ChildName<'BinaryExpression' | 'InExpression'>>().toEqualTypeOf<
      'Left' | 'Operator' | 'Right'
    >();
    expectTypeOf<ChildName<SyntaxKind>>().toBeNever();
    expectTypeOf(child(firstOf('LetStatement', 'let a = 1; print a'), 'Name')).toEqualTypeOf<
      Syntax<'NameDeclaration'>
    >();
  });
});

describe('a tree that is not what we took it for', () => {
  const { ParseAndAnalyze } = kusto.KustoCode;
  afterEach(() => {
    kusto.KustoCode.ParseAndAnalyze = ParseAndAnalyze;
  });

  it('is told as a fault of ours; a condition never becomes no condition', () => {
    const options = { schema, now: new Date(0), unknownColumns: 'error' } as const;
    const text = "Dns | where DnsQuery == 'a'";
    expect(compileKql(text, options).ok).toBe(true);
    kusto.KustoCode.ParseAndAnalyze = (...given): KustoCode => {
      const code = ParseAndAnalyze.apply(kusto.KustoCode, given);
      for (const node of within(code.Syntax))
        if (kindOf(node) === 'FilterOperator') Object.defineProperty(node, 'Condition', { value: null });
      return code;
    };
    const result = compileKql(text, options);
    expect(result.ok).toBe(false);
    expect(result.diagnostics.map(({ message }) => message).join()).toContain(
      'Condition is missing in FilterOperator',
    );
  });
});

describe('parts of a query that were once left out', () => {
  const refusalOf = (text: string): string => {
    const result = compileKql(text, { schema, now: new Date(0), unknownColumns: 'error' });
    return result.ok ? 'compiled' : result.diagnostics.map(({ code }) => code).join();
  };

  it.each([
    [
      'a join whose condition follows where',
      'Dns | join (Dns) where $left.DnsQuery == $right.DnsQuery',
      'TYR115',
    ],
    ['the bin of a summarize', 'Dns | summarize count() by bin(TimeGenerated, 1h) bin = 1h', 'TYR116'],
  ])('refuses %s by name', (_, text, code) => {
    expect(refusalOf(text)).toBe(code);
  });

  it('reads the properties of render without the word with, too', () => {
    const text = 'Dns | summarize count() by DnsQuery | render columnchart kind=stacked';
    const result = compileKql(text, { schema, now: new Date(0), unknownColumns: 'error' });
    expect(result.ok && result.plan.render).toEqual({
      chart: 'columnchart',
      properties: { kind: 'stacked' },
    });
  });
});

describe('the table of shapes', () => {
  /** What the source of the library says of each kind: its children, `?` where it attaches them as optional. */
  const inLibrary = (): Map<string, Map<string, string>> => {
    const require = createRequire(import.meta.url);
    const file = require.resolve('@kusto/language-service-next/Kusto.Language.Bridge.js');
    const parts = readFileSync(file, 'utf8').split(/Bridge\.define\("Kusto\.Language\.Syntax\.([\w$]+)"/);
    const found = new Map<string, Map<string, string>>();
    for (let at = 1; at < parts.length; at += 2) {
      const own = new Map<string, string>();
      const attached = /this\.(\w+) = this\.Attach\(([^,]*), [\w$]+(, true)?\);/g;
      for (const [, name = '', type = '', optional] of (parts[at + 1] ?? '').matchAll(attached)) {
        const inner = type.replaceAll('Kusto.Language.Syntax.', '');
        const bare = inner.replace(/(SyntaxList|SeparatedElement)\$1\(/g, '').replace(/\)+$/, '');
        own.set(name, `${bare}${inner.startsWith('SyntaxList$1') ? '*' : ''}${optional ? '?' : ''}`);
      }
      found.set(parts[at] ?? '', own);
    }
    return found;
  };

  it('says of every kind and child what the library says', () => {
    const library = inLibrary();
    for (const [kind, shape] of Object.entries(KUSTO_SHAPES)) {
      expect([...library.keys()], kind).toContain(kind);
      for (const [name, written] of Object.entries(shape))
        expect(`${kind}.${name}: ${library.get(kind)?.get(name)}`).toBe(`${kind}.${name}: ${written}`);
    }
  });

  it('holds in trees as they are parsed, broken ones too', () => {
    const corpus = new URL('../corpus/', import.meta.url);
    const lines = ['operators.jsonl', 'tabular.jsonl', 'graph.jsonl', 'scan.jsonl', 'evaluate.jsonl'].flatMap(
      (file) => readFileSync(new URL(file, corpus), 'utf8').trim().split('\n'),
    );
    const texts = lines.map((line) => (JSON.parse(line) as { readonly query: string }).query);
    const met = new Set<string>();
    for (const text of [...texts, ...Object.values(CALL_SAMPLES).map((one) => `print x = ${one}`)])
      for (const cut of [text, text.slice(0, text.length * 0.7)])
        for (const node of within(treeOf(cut))) {
          const kind = kindOf(node);
          if (!Object.hasOwn(KUSTO_SHAPES, kind)) continue;
          met.add(kind);
          const wrong = faultsOf(node, KUSTO_SHAPES[kind as keyof typeof KUSTO_SHAPES]);
          expect(wrong, `${kind} in ${cut}`).toEqual([]);
        }
    // So many that the walk is worth its name; the rest stand in queries that no file here has.
    expect(met.size).toBeGreaterThan(Object.keys(KUSTO_SHAPES).length * 0.8);
  });
});

/** The children that are not as the table has them. */
function faultsOf(node: Syntax, shape: Readonly<Record<string, string>>): string[] {
  return Object.entries(shape).flatMap(([name, written]) => {
    const value = (node as unknown as Readonly<Record<string, unknown>>)[name];
    if (value === null && written.endsWith('?')) return [];
    if (typeof value !== 'object' || value === null) return [`${name} is ${String(value)}`];
    if (written.includes('*')) return 'Count' in value ? [] : [`${name} is no list`];
    const expected = written.replace('?', '');
    // Tokens have kinds of their own, such as `SyntaxToken+KindToken`.
    const kind = kindOf(value as Syntax).replace(/\+.*/, '');
    return Object.hasOwn(KUSTO_SHAPES, expected) && kind !== expected ? [`${name} is ${kind}`] : [];
  });
}
