// What a query would read, told from the syntax tree that ClickHouse itself makes of it (EXPLAIN AST). It knows nothing
// of how our SQL is made: a table, a table function, a setting or a function that can look outside is a fault.

/** Functions that read more than their arguments and the rows, but for the dictionaries of the program. */
const OUTWARD =
  /^(?:dict\w*|joinGet\w*|file|url\w*|remote\w*|s3\w*|hdfs\w*|getSetting\w*|getServerSetting|getMacro|getServerPort|hostName|fqdn|serverUUID|currentUser|initialUser\w*|currentRoles|enabledRoles|currentDatabase|currentSchemas|currentProfiles|hasColumnInTable|hasThreadFuzzer|catboostEvaluate|modelEvaluate|sleep\w*|filesystem\w*|showCertificate|connectionId|queryID|initialQueryID|version|uptime|buildId|tcpPort|zookeeper\w*|block\w+|structureTo\w+|addressTo\w+|demangle|trap|logTrace|initializeAggregation|evalMLMethod|executable|input|merge|cluster\w*|mysql|postgresql|jdbc|odbc|azure\w*|iceberg\w*|deltaLake\w*|hudi|sqlite|redis|mongodb|view|viewExplain|loop|dictionary|generateRandom|fuzz\w+)$/;

const OWN_DICTIONARY = /'tyrian_reference\.(?:ip_country|user_agent_(?:browser|os|device))'/;

/** Table functions that make their rows themselves. */
const OWN_TABLES = new Set(['numbers', 'values', 'null']);

interface AstLine {
  readonly depth: number;
  readonly text: string;
}

function linesOf(ast: readonly string[]): readonly AstLine[] {
  return ast
    .filter((line) => line.trim() !== '')
    .map((line) => ({ depth: line.length - line.trimStart().length, text: line.trim() }));
}

/** The lines below a line, at the next depth. */
function childrenOf(lines: readonly AstLine[], index: number): number[] {
  const own = lines[index]?.depth ?? 0;
  const found: number[] = [];
  for (let at = index + 1; (lines[at]?.depth ?? -1) > own; at += 1)
    if (lines[at]?.depth === own + 1) found.push(at);
  return found;
}

/** Everything that the tree reaches beside `<database>.events`; none when it stays inside. */
export function faultsOfReach(ast: readonly string[], database: string): string[] {
  const lines = linesOf(ast);
  const roots = lines.filter((line) => line.depth === 0).map((line) => line.text.replace(/ \(.*/, ''));
  const faults = roots.join() === 'SelectWithUnionQuery' ? [] : [`not one SELECT: ${roots.join()}`];
  // The tree does not tell the names of common table expressions: ours are m and a number, and there must be as many.
  const shared = new Set(lines.flatMap(({ text }) => /^TableIdentifier (m\d+)\b/.exec(text)?.[1] ?? []));
  const written = lines.filter(({ text }) => text.startsWith('WithElement')).length;
  if (shared.size > written) faults.push(`reads ${[...shared].join()}`);
  lines.forEach(({ text }, index) => {
    const fault = faultOf(lines, text, index, database);
    if (fault) faults.push(fault);
  });
  return faults;
}

function faultOf(lines: readonly AstLine[], text: string, index: number, database: string): string | null {
  const [, kind = '', named = ''] = /^(\w+)(?: (\S+))?/.exec(text) ?? [];
  const below = childrenOf(lines, index).map((child) => lines[child]?.text ?? '');
  // `m1` and so on are the tables that the query itself computes before; they stand in the same tree.
  if (kind === 'TableIdentifier')
    return named === `${database}.events` || /^m\d+$/.test(named) ? null : `reads ${named}`;
  if (kind === 'Set' || kind === 'Settings' || kind.endsWith('Outfile')) return `has ${text}`;
  if (kind === 'TableExpression') {
    const made = below.flatMap((child) => /^Function (\w+)/.exec(child)?.[1] ?? []);
    const other = below.filter((child) => !/^(?:TableIdentifier|Subquery|Function) ?/.test(child));
    const outside = made.filter((name) => !OWN_TABLES.has(name));
    return [...outside, ...other].length > 0 ? `reads from ${[...outside, ...other].join()}` : null;
  }
  if (kind !== 'Function') return null;
  const args = argumentsOf(lines, index);
  if (
    /^(?:global)?(?:not)?(?:null)?in(?:ignoreset)?$/i.test(named) &&
    /^(?:Table)?Identifier/.test(args[1] ?? '')
  )
    return /^Identifier c\d+$/.test(args[1] ?? '') ? null : `is in ${args[1]}`;
  if (named === 'dictGet' && OWN_DICTIONARY.test(args[0] ?? '')) return null;
  return OUTWARD.test(named) ? `calls ${named}` : null;
}

function argumentsOf(lines: readonly AstLine[], index: number): string[] {
  const [list] = childrenOf(lines, index);
  return list === undefined ? [] : childrenOf(lines, list).map((child) => lines[child]?.text ?? '');
}
