import { expression, keyExpression, predicate, table } from './generated-query.ts';
import type { Choice } from './seeded-choice.ts';

// What must hold between the answers of related queries, whatever the data are: each relation makes two queries whose
// rows are the same, as a bag of rows.

export interface Relation {
  readonly title: string;
  readonly pair: (choice: Choice) => { readonly one: string; readonly other: string };
}

const COLUMNS = 'TimeGenerated, DvcHostname, ActorUsername, EventID, SrcBytes, list = tostring(Ext.list)';

/** The counts that a query gives, as rows of a name and a number. */
const counts = (queries: readonly string[]): string =>
  `union ${queries.map((query, index) => `(${query} | summarize n = count() | extend k = ${index})`).join(', ')} | project k, n`;

const summed = (query: string): string => `${query} | summarize n = sum(n)`;

const aggregations = [
  'count()',
  'countif(EventID > 10)',
  'sum(EventID)',
  'max(SrcBytes)',
  'min(CommandLine)',
  'dcount(ActorUsername)',
  'countif(isnull(SrcBytes))',
  'make_set(EventID)',
];

function twoTables(choice: Choice): { left: string; right: string; key: string } {
  const key = expression(choice, choice.of(['string', 'int', 'long', 'bool', 'datetime'] as const), 1);
  const left = `(${table(choice)} | extend key = ${key} | project key, a = CommandLine)`;
  const other = choice.once(2)
    ? key
    : key.replaceAll('ActorUsername', 'CommandLine').replaceAll('EventID', 'DstPortNumber');
  const right = `(${table(choice)} | extend key = ${other} | project key, b = SrcBytes)`;
  return { left, right, key };
}

export const RELATIONS: readonly Relation[] = [
  {
    title: 'a condition, its opposite and its null part the rows',
    pair: (choice) => {
      const [rows, p] = [table(choice), predicate(choice)];
      const parts = counts([
        `${rows} | where ${p}`,
        `${rows} | where not(${p})`,
        `${rows} | where isnull(${p})`,
      ]);
      return { one: summed(parts), other: `${rows} | summarize n = count()` };
    },
  },
  {
    title: 'the union of the parts is the whole',
    pair: (choice) => {
      const [rows, p] = [table(choice), predicate(choice)];
      const parts = [p, `not(${p})`, `isnull(${p})`].map((one) => `(${rows} | where ${one})`);
      return { one: `union ${parts.join(', ')} | project ${COLUMNS}`, other: `${rows} | project ${COLUMNS}` };
    },
  },
  {
    title: 'two conditions hold in any order, and together',
    pair: (choice) => {
      const [rows, p, q] = [table(choice), predicate(choice), predicate(choice)];
      return {
        one: `${rows} | where ${p} | where ${q} | project ${COLUMNS}`,
        other: `${rows} | where (${q}) and (${p}) | project ${COLUMNS}`,
      };
    },
  },
  {
    title: 'neither of two conditions is the opposite of either',
    pair: (choice) => {
      const [rows, p, q] = [table(choice), predicate(choice), predicate(choice)];
      return {
        one: `${rows} | where not((${p}) or (${q})) | count`,
        other: `${rows} | where not(${p}) and not(${q}) | count`,
      };
    },
  },
  {
    title: 'countif counts what where keeps',
    pair: (choice) => {
      const [rows, p] = [table(choice), predicate(choice)];
      return { one: `${rows} | where ${p} | count`, other: `${rows} | summarize Count = countif(${p})` };
    },
  },
  {
    title: 'a named expression means the expression',
    pair: (choice) => {
      const [rows, p] = [table(choice), predicate(choice)];
      return {
        one: `${rows} | extend named = ${p} | where named | project ${COLUMNS}`,
        other: `${rows} | where ${p} | project ${COLUMNS}`,
      };
    },
  },
  {
    title: 'projecting and filtering commute',
    pair: (choice) => {
      const type = choice.of(['string', 'int', 'long', 'datetime', 'timespan'] as const);
      const [rows, value, literal] = [
        table(choice),
        expression(choice, type, 2),
        expression(choice, type, 0),
      ];
      const sign = choice.of(['==', '!=', ...(type === 'string' ? ['=~', 'has'] : ['<', '>='])]);
      return {
        one: `${rows} | project value = ${value}, other = ${literal} | where value ${sign} other | project value`,
        other: `${rows} | where (${value}) ${sign} (${literal}) | project value = ${value}`,
      };
    },
  },
  {
    title: 'the sum over groups is the total',
    pair: (choice) => {
      const rows = table(choice);
      return {
        one: `${rows} | summarize c = count(), s = sum(EventID), m = max(SrcBytes) by key = ${keyExpression(choice)} | summarize sum(c), sum(s), max(m)`,
        other: `${rows} | summarize count(), sum(EventID), max(SrcBytes)`,
      };
    },
  },
  {
    title: 'distinct gives the groups of summarize',
    pair: (choice) => {
      const [rows, a, b] = [table(choice), keyExpression(choice), keyExpression(choice)];
      return {
        one: `${rows} | extend a = ${a}, b = ${b} | distinct a, b`,
        other: `${rows} | summarize by a = ${a}, b = ${b}`,
      };
    },
  },
  {
    title: 'an aggregation of a part is that of its rows',
    pair: (choice) => {
      const [rows, p] = [table(choice), predicate(choice)];
      const wanted = choice.of(['sum', 'max', 'min', 'avg', 'dcount']);
      return {
        one: `${rows} | where ${p} | summarize ${wanted}(EventID)`,
        other: `${rows} | summarize ${wanted}if(EventID, ${p})`,
      };
    },
  },
  {
    title: 'an inner join counts the same from both sides',
    pair: (choice) => {
      const { left, right } = twoTables(choice);
      return {
        one: `${left} | join kind=inner ${right} on key | project key, a, b`,
        other: `${right} | join kind=inner ${left} on key | project key, a, b`,
      };
    },
  },
  {
    title: 'an inner join has a row for each pair of equal keys',
    pair: (choice) => {
      const { left, right } = twoTables(choice);
      return {
        one: `${left} | join kind=inner ${right} on key | summarize n = count()`,
        other: `${left} | summarize l = count() by key | join kind=inner (${right} | summarize r = count() by key) on key | summarize n = sum(l * r)`,
      };
    },
  },
  {
    title: 'an outer join has the inner rows and those without a partner',
    pair: (choice) => {
      const { left, right } = twoTables(choice);
      const [kind, anti] = choice.of([
        ['leftouter', ['leftanti']],
        ['rightouter', ['rightanti']],
        ['fullouter', ['leftanti', 'rightanti']],
      ] as const);
      return {
        one: `${left} | join kind=${kind} ${right} on key | summarize n = count()`,
        other: summed(counts(['inner', ...anti].map((one) => `${left} | join kind=${one} ${right} on key`))),
      };
    },
  },
  {
    title: 'a row has a partner or it has none',
    pair: (choice) => {
      const { left, right } = twoTables(choice);
      const side = choice.of(['left', 'right'] as const);
      const kinds = [`${side}semi`, `${side}anti`];
      return {
        one: `union ${kinds.map((kind) => `(${left} | join kind=${kind} ${right} on key)`).join(', ')} | project key`,
        other: `${side === 'left' ? left : right} | project key`,
      };
    },
  },
  {
    title: 'innerunique takes one row of each key',
    pair: (choice) => {
      const { left, right } = twoTables(choice);
      return {
        one: `${left} | join ${right} on key | summarize n = count()`,
        other: `${left} | distinct key | join kind=inner ${right} on key | summarize n = count()`,
      };
    },
  },
  {
    title: 'a semi join keeps what in() finds',
    pair: (choice) => {
      const [rows, key, p] = [table(choice), expression(choice, 'string', 1), predicate(choice)];
      return {
        one: `${rows} | extend key = ${key} | where key in ((Events | where ${p} | project CommandLine)) | summarize n = count()`,
        other: `${rows} | extend key = ${key} | join kind=leftsemi (Events | where ${p} | project key = CommandLine) on key | summarize n = count()`,
      };
    },
  },
  {
    title: 'lookup is a join that keeps the left rows',
    pair: (choice) => {
      const { left, right } = twoTables(choice);
      return {
        one: `${left} | lookup kind=leftouter ${right} on key | project key, a, b`,
        other: `${left} | join kind=leftouter ${right} on key | project key, a, b`,
      };
    },
  },
  {
    title: 'a table that is named twice gives its rows twice',
    pair: (choice) => {
      const rows = `${table(choice)} | extend v = ${expression(choice, 'string', 2)} | project v, EventID`;
      const wanted = aggregations.filter((one) => !/CommandLine|ActorUsername|SrcBytes/.test(one));
      const [total] = [choice.of(wanted)];
      return {
        one: `let T = ${choice.once(2) ? 'materialize' : ''}(${rows}); union T, T | summarize x = ${total} by v`,
        other: `union (${rows}), (${rows}) | summarize x = ${total} by v`,
      };
    },
  },
  {
    title: 'mv-expand of a made array multiplies rows',
    pair: (choice) => {
      const [rows, a, b] = [table(choice), expression(choice, 'long', 1), expression(choice, 'long', 1)];
      return {
        one: `${rows} | mv-expand v = pack_array(${a}, ${b}) to typeof(long) | project EventID, v`,
        other: `union (${rows} | project EventID, v = tolong(${a})), (${rows} | project EventID, v = tolong(${b}))`,
      };
    },
  },
  {
    title: 'an absent condition changes nothing',
    pair: (choice) => {
      const rows = table(choice);
      const step = choice.of([
        '| where true',
        '| where not(false)',
        '| serialize',
        '| extend unused = 1',
        '| project-reorder EventID',
        '| union (Events | where false)',
      ]);
      return { one: `${rows} ${step} | project ${COLUMNS}`, other: `${rows} | project ${COLUMNS}` };
    },
  },
];
