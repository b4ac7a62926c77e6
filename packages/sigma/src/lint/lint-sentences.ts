import { fillTemplate, type NamesIn, type Severity, type Span } from '@tyrian/diagnostics';

// What the linter finds, each with its code, how bad it is, and its sentence in English. The console has the sentences of
// the other languages by the same keys. None of it keeps a rule from running: what does is a verdict.

/** 1xx: what a rule says of itself. 2xx: conditions. 3xx: values. 4xx: log source and fields. 5xx: what it costs and finds. */
export const LINTS = {
  idMissing: ['LNT101', 'warning', 'The rule has no id: give it a new UUID'],
  idNotUuid: ['LNT102', 'warning', 'The id is no UUID of version 4'],
  idTaken: ['LNT103', 'warning', 'The rule "{{title}}" has the same id'],
  titleTooLong: [
    'LNT104',
    'warning',
    'The title has {{length}} characters; at most {{most}} are read in lists',
  ],
  titleCase: ['LNT105', 'info', 'Words of a title begin with a capital: "{{word}}"'],
  titlePeriod: ['LNT106', 'info', 'A title ends without a full stop'],
  titleDetects: ['LNT107', 'info', 'A title says what is found, without "Detects"'],
  statusMissing: ['LNT108', 'info', 'The rule has no status: one of {{values}}'],
  statusUnknown: ['LNT109', 'warning', '"{{value}}" is no status: one of {{values}}'],
  levelMissing: ['LNT110', 'warning', 'The rule has no level: one of {{values}}'],
  levelUnknown: ['LNT111', 'warning', '"{{value}}" is no level: one of {{values}}'],
  descriptionMissing: ['LNT112', 'info', 'The rule has no description'],
  descriptionShort: ['LNT113', 'info', 'The description has fewer than {{least}} characters'],
  dateMissing: ['LNT114', 'info', 'The rule has no date'],
  dateFormat: ['LNT115', 'warning', '"{{value}}" is no date as YYYY-MM-DD'],
  modifiedBeforeDate: ['LNT116', 'warning', 'The rule was modified before its date'],
  authorMissing: ['LNT117', 'info', 'The rule has no author'],
  falsepositivesMissing: ['LNT118', 'info', 'The rule says nothing of false positives'],
  falsepositivesEmpty: [
    'LNT119',
    'info',
    '"{{value}}" says nothing of false positives: name who does this legitimately',
  ],
  falsepositivesCase: ['LNT120', 'info', 'A false positive begins with a capital: "{{value}}"'],
  referenceTwice: ['LNT121', 'warning', 'The reference is given twice'],
  referenceNoLink: ['LNT122', 'info', 'The reference is no link'],
  keyUnknown: ['LNT123', 'info', 'Sigma knows no key "{{key}}"'],
  keyLike: ['LNT124', 'warning', 'Sigma knows no key "{{key}}"; "{{like}}" is one'],
  tagFormat: ['LNT125', 'warning', '"{{tag}}" is no tag as namespace.name in small letters'],
  tagNamespace: ['LNT126', 'info', 'Sigma knows no namespace "{{namespace}}" of tags'],
  tagTwice: ['LNT127', 'warning', 'The tag "{{tag}}" is given twice'],
  techniqueUnknown: [
    'LNT128',
    'warning',
    'ATT&CK has no technique {{technique}} in the version that is known here',
  ],
  tacticUnknown: ['LNT129', 'warning', 'ATT&CK has no tactic "{{tactic}}" in the version that is known here'],
  tagValue: ['LNT130', 'warning', '"{{tag}}" is none of the tags of its namespace'],
  relatedType: ['LNT131', 'warning', '"{{value}}" is no kind of relation: one of {{values}}'],
  relatedId: ['LNT132', 'warning', 'A related rule is named by its UUID'],
  listExpected: ['LNT133', 'info', '"{{key}}" is a list'],
  whitespaceAtEnd: ['LNT134', 'info', 'The line ends with spaces'],
  selectionUnused: ['LNT201', 'warning', 'No condition names "{{name}}"'],
  themWithOne: ['LNT202', 'info', 'There is one search identifier alone: name it instead of "{{text}}"'],
  allOfThem: ['LNT203', 'info', '"all of them" also takes what is added later: name what is meant'],
  patternWithOne: ['LNT204', 'info', '"{{pattern}}" fits one search identifier alone'],
  conditionList: ['LNT205', 'info', 'A list of conditions is deprecated: join them with "or"'],
  contradiction: ['LNT206', 'warning', '"{{name}}" has to match and must not match: the rule finds nothing'],
  alwaysTrue: ['LNT207', 'warning', '"{{name}}" may match and may not match: the rule finds every event'],
  negatedOnly: [
    'LNT208',
    'warning',
    'The condition only excludes: the rule finds every other event of its log source',
  ],
  timeframe: ['LNT209', 'warning', '"timeframe" is of Sigma 1 and has no effect: write a correlation'],
  sameSelections: ['LNT210', 'info', '"{{name}}" selects the same as "{{other}}"'],
  doubleWildcard: ['LNT301', 'warning', 'Wildcards in a row say the same as one'],
  numberAsText: ['LNT302', 'info', 'The number is in quotes: write {{value}}'],
  controlCharacter: [
    'LNT303',
    'warning',
    'The value holds a control character (U+{{code}}): is a backslash missing?',
  ],
  wildcardForModifier: ['LNT304', 'info', 'Write "{{field}}|{{modifier}}" instead of wildcards'],
  escapedWildcard: ['LNT305', 'info', 'The wildcard is escaped and means itself'],
  whitespaceAround: ['LNT306', 'warning', 'The value begins or ends with spaces'],
  wildcardAlone: ['LNT307', 'info', 'Any value: write "{{field}}|exists: true"'],
  valueTwice: ['LNT308', 'warning', 'The value "{{value}}" is given twice'],
  regexPlain: ['LNT309', 'info', 'The expression says what "{{field}}|{{modifier}}" says, which is faster'],
  regexOpen: ['LNT310', 'info', 'Leave out ".*" at the ends of the expression: it is looked for anywhere'],
  allWithOne: ['LNT311', 'info', '"all" has one value alone and says nothing'],
  allWithoutPart: ['LNT312', 'warning', 'No field equals several values at once: "all" needs "contains"'],
  offsetWithoutContains: [
    'LNT313',
    'warning',
    '"base64offset" finds a part of a text: "contains" is missing behind it',
  ],
  wildcardWithModifier: ['LNT314', 'info', '"{{modifier}}" puts the wildcard there by itself'],
  networkAsText: ['LNT315', 'info', 'Write a network with "cidr" instead of a wildcard'],
  fieldSpaces: ['LNT316', 'warning', 'The name of the field begins or ends with spaces'],
  shortText: ['LNT317', 'info', '"{{value}}" is short and found in many events'],
  sourceUnknown: ['LNT401', 'warning', 'No mapping knows this log source'],
  sourceSpecific: [
    'LNT402',
    'warning',
    'Write category: {{category}} instead of EventID {{event}} of {{service}}: then it finds the same events of other sources too',
  ],
  sourceKey: ['LNT403', 'warning', 'A log source has no "{{key}}": product, category, service, definition'],
  sourceCase: ['LNT404', 'info', 'Log sources are written in small letters'],
  fieldUnmapped: [
    'LNT405',
    'info',
    'No column is known for "{{field}}": it is read below Ext under its own name',
  ],
  fieldCase: ['LNT406', 'info', 'The field is called "{{name}}" in this log source'],
  eventRepeats: ['LNT407', 'info', 'EventID {{event}} says what the category says already'],
  noLiteral: [
    'LNT501',
    'warning',
    'No text or number of 3 characters is required of an event: the rule is compared with every event of its log source, which is expensive',
  ],
  wantsThreshold: [
    'LNT502',
    'info',
    'The title speaks of many events, the rule looks at one: write a correlation or set a threshold',
  ],
  keywordsAlone: [
    'LNT503',
    'info',
    'Keywords are looked for in the whole event: a field is faster and finds less by chance',
  ],
} as const satisfies Record<string, readonly [code: string, severity: Severity, sentence: string]>;

export type LintKey = keyof typeof LINTS;

/** What the linter has to say about a place of a text. */
export interface LintFinding {
  readonly key: LintKey;
  /** Stable. */
  readonly code: string;
  readonly severity: Severity;
  readonly span: Span;
  readonly values: Readonly<Record<string, string | number>>;
  /** In English. */
  readonly message: string;
}

type ValuesOf<K extends LintKey> = { readonly [N in NamesIn<(typeof LINTS)[K][2]>]: string | number };

const SHOWN = 60;
const shown = (value: string | number): string | number =>
  typeof value === 'string' && value.length > SHOWN ? `${value.slice(0, SHOWN - 3)}...` : value;

/** A finding; of long values the beginning is repeated. */
export function found<K extends LintKey>(
  key: K,
  span: Span,
  ...[values]: keyof ValuesOf<K> extends never ? [] : [ValuesOf<K>]
): LintFinding {
  const [code, severity, sentence] = LINTS[key];
  const said = Object.fromEntries(
    Object.entries((values ?? {}) as Record<string, string | number>).map(([name, value]) => [
      name,
      shown(value),
    ]),
  );
  return {
    key,
    code,
    severity,
    span,
    values: said,
    message: fillTemplate(sentence, (name) => said[name]?.toString()),
  };
}
