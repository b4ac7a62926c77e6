import type { RuleException, RuleOverlay } from '@tyrian/contract';

// The query of a rule in a scope: what the rule compiles to, without what the scope excepts, counted where the scope wants
// so many events. It is what runs, and what opens in Find.

const OPERATORS: Readonly<Record<RuleException['operator'], string>> = {
  equals: '=~',
  contains: 'contains',
  startswith: 'startswith',
  endswith: 'endswith',
};

const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

const kqlText = (text: string): string =>
  `"${text
    .replace(/[\\"]/g, '\\$&')
    .replace(CONTROL, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;

/** Below `Ext` a field may hold anything; a column of another type is compared as its text. */
const textOf = (field: string): string => `tostring(${field})`;

function exceptionKql({ field, operator, values }: RuleException): string {
  const tests = values.map((value) => `${textOf(field)} ${OPERATORS[operator]} ${kqlText(value)}`);
  return `| where not(${tests.join(' or ')})`;
}

/** Columns that a counted rule still shows: what its signal names. */
const SHOWN = [
  'ActorUsername',
  'ProcessName',
  'SrcIpAddr',
  'DvcHostname',
  'TargetUsername',
  'DstIpAddr',
  'Stream',
];

function thresholdKql({ count, minutes, field }: NonNullable<RuleOverlay['threshold']>): string {
  const shown = SHOWN.filter((name) => name !== field).map((name) => `${name} = take_any(${name})`);
  return [
    `| summarize Events = count(), FirstTime = min(TimeGenerated), LastTime = max(TimeGenerated), EventUids = make_set(EventUid, 200), ${shown.join(', ')} by ${field}, TimeGenerated = bin(TimeGenerated, ${minutes}m)`,
    `| where Events >= ${count}`,
  ].join('\n');
}

/** The end of a statement of a correlation; a text cannot hold it, since its line ends are escaped. */
const STATEMENT_END = ';\n';

/**
 * The query of a rule with what a scope changes about it. Of a correlation the events are excepted before they are
 * correlated.
 */
export function ruleKqlIn(kql: string, overlay: Pick<RuleOverlay, 'exceptions' | 'threshold'>): string {
  const { exceptions, threshold } = overlay;
  const excepted = exceptions.map(exceptionKql);
  const query = isCorrelationKql(kql)
    ? kql.replaceAll(STATEMENT_END, `${excepted.map((line) => `\n${line}`).join('')}${STATEMENT_END}`)
    : [kql, ...excepted].join('\n');
  return threshold ? `${query}\n${thresholdKql(threshold)}` : query;
}

/** Whether a query is that of a correlation, which counts by itself. */
export const isCorrelationKql = (kql: string): boolean => kql.startsWith('let ');
