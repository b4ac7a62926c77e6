// Snippets: pieces of KQL with places to fill in. `${name}` is such a place; Tab goes from one to the next. Those that
// are shipped are here, with their notes in the texts of the console; people add their own.

export interface KqlSnippet {
  /** What is typed to find it. */
  readonly name: string;
  /** What it is for. */
  readonly note: string;
  /** KQL with `${...}`; begins with an operator when it is a step of a pipe. */
  readonly text: string;
}

/** A snippet as it goes in at a place. */
interface FittingSnippet {
  readonly name: string;
  readonly note: string;
  readonly template: string;
}

export const SHIPPED_SNIPPETS = [
  {
    name: 'lately',
    text: 'where TimeGenerated > ago(${1h})',
  },
  {
    name: 'countBy',
    text: 'summarize Count = count() by ${DvcHostname}\n| sort by Count desc',
  },
  {
    name: 'overTime',
    text: 'summarize Count = count() by bin(TimeGenerated, ${15m}), ${Stream}\n| render timechart',
  },
  {
    name: 'firstAndLast',
    text: 'summarize First = min(TimeGenerated), Last = max(TimeGenerated), Count = count() by ${SrcIpAddr}',
  },
  {
    name: 'rare',
    text: 'summarize Hosts = dcount(DvcHostname), Count = count() by ${ProcessName}\n| where Hosts <= ${3}\n| sort by Count asc',
  },
  {
    name: 'newest',
    text: 'summarize arg_max(TimeGenerated, *) by ${DvcHostname}',
  },
  {
    name: 'joinOn',
    text: 'join kind=inner (\n    ${Authentication}\n    | where ${EventResult} == "${Failure}"\n) on ${DvcHostname}',
  },
  {
    name: 'watchlist',
    text: 'let watched = dynamic(["${10.0.0.1}"]);\n${Events}\n| where ${SrcIpAddr} in (watched)',
  },
  {
    name: 'newSince',
    text: 'let before = ${ProcessEvent}\n| where TimeGenerated between (ago(${14d}) .. ago(${1d}))\n| distinct ${ProcessName};\n${ProcessEvent}\n| where TimeGenerated > ago(${1d})\n| join kind=leftanti before on ${ProcessName}',
  },
  {
    name: 'manyThenOne',
    text: 'Authentication\n| where TimeGenerated > ago(${1d})\n| summarize Failures = countif(EventResult == "Failure"), Successes = countif(EventResult == "Success") by TargetUsername, SrcIpAddr\n| where Failures >= ${10} and Successes > 0',
  },
] as const;

/** Operators that a step may begin with; a snippet that begins with none of them is a query. */
const STEP =
  /^(?:\|\s*)?(?:where|filter|extend|project|summarize|join|lookup|union|sort|order|top|take|limit|distinct|count|mv-|make-series|parse|evaluate|render|serialize|invoke|partition|search|as|sample|getschema|scan)\b/;

/** A snippet whose last place is its end: Tab from the one before it goes on instead of indenting. */
export const withEnd = (template: string): string => `${template}\${}`;

/** The snippets that fit a place: steps behind a pipe or on a line below a query, queries where a statement begins. */
export function snippetsAt(
  text: string,
  position: number,
  snippets: readonly KqlSnippet[],
): readonly FittingSnippet[] {
  const before = text.slice(0, position).replace(/[\w-]*$/, '');
  const isBehindPipe = /\|\s*$/.test(before);
  const isStart = before.trim() === '' || /;\s*$/.test(before) || /\n[ \t]*\n[ \t]*$/.test(before);
  const isNewLine = !isStart && !isBehindPipe && /\n[ \t]*$/.test(before);
  return snippets.flatMap(({ name, note, text: written }) => {
    const isStep = STEP.test(written);
    const bare = written.replace(/^\|\s*/, '');
    if (isStep && isBehindPipe) return [{ name, note, template: bare }];
    if (isStep && isNewLine) return [{ name, note, template: `| ${bare}` }];
    return !isStep && isStart ? [{ name, note, template: written }] : [];
  });
}
