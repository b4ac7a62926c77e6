import type { StreamName } from '@tyrian/catalog';

// An extractor as its YAML says it: what it takes, how it reads it, and what becomes of the fields.

/** Formats that an entry reads, beside the decoders that are built in. */
export const FORMATS = [
  'json',
  'xml',
  'csv',
  'tsv',
  'w3c',
  'key-value',
  'cef',
  'leef',
  'regex',
  'grok',
  'none',
] as const;
export const SHAPES = ['any', 'text', 'json', 'xml'] as const;
export type RecordShape = (typeof SHAPES)[number];
export type ExtractorFormat = (typeof FORMATS)[number];

/** Conditions on fields: each must hold one of its values; `*` asks only that it is there. */
export type FieldConditions = ReadonlyMap<string, readonly FieldTest[]>;

export type FieldTest =
  | { readonly kind: 'any' }
  | { readonly kind: 'is'; readonly text: string }
  | { readonly kind: 'pattern'; readonly source: string };

/** Column → word of the source → word of ours; `*` stands for every other word. */
export type Translations = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface TimeRule {
  /** Fields whose texts, joined by a blank, are the time. */
  readonly fields: readonly string[];
  /** `auto` or letters as `yyyy-MM-dd HH:mm:ss.SSS Z`. */
  readonly format: string;
  /** Minutes by which a clock without a zone is ahead of UTC. */
  readonly zoneMinutes: number;
}

/** What becomes of the fields that were read. */
export interface Outcome {
  readonly keys: ReadonlyMap<string, readonly string[]>;
  readonly annotate: ReadonlyMap<string, string>;
  readonly translate: Translations;
  /** Tried in order. */
  readonly time: readonly TimeRule[];
}

export interface ExtractorEntry extends Outcome {
  readonly name: string | undefined;
  readonly format: ExtractorFormat;
  /** For `regex` and `grok` only. */
  readonly patterns: readonly ExtractorPattern[];
  readonly when: FieldConditions;
  /** What parts cells (`csv`) or pairs (`key-value`, `leef`). */
  readonly separator: string | undefined;
  /** What parts a key from its value. */
  readonly assign: string | undefined;
  /** Names of the cells, where no line of the file says them. */
  readonly columns: readonly string[];
  /** Fields that no mapping names fill the column that bears their name, or one of its names in ECS, OCSF, CIM, Sigma. */
  readonly hasKnownNames: boolean;
  /** Fields that fill a column stay below `Ext` too, where detections know them by their path. */
  readonly keepsFields: boolean;
}

/** A regular expression, grok already unfolded. */
export interface ExtractorPattern {
  readonly source: string;
  /** Names of fields by those of the groups, where they differ: groups may hold letters and digits only. */
  readonly fields: ReadonlyMap<string, string>;
}

export interface Fallback {
  readonly annotate: ReadonlyMap<string, string>;
  /** Leave the record to the decoders that are built in. */
  readonly isBuiltIn: boolean;
}

export interface Extractor extends Outcome {
  readonly schemaVersion: number;
  /** Undefined where whoever keeps it gives it a number. */
  readonly id: number | undefined;
  readonly name: string;
  readonly sourceType: string;
  readonly description: string;
  readonly streams: readonly StreamName[];
  /** One of them must be found in the record. */
  readonly masterFilters: readonly string[];
  /** How the text of a record begins: with a brace, as XML, or otherwise. */
  readonly shape: RecordShape;
  /** Programs of syslog whose messages it takes. */
  readonly apps: readonly string[];
  /** Conditions on the fields of a JSON record. */
  readonly recordFilters: FieldConditions;
  /** Decoders of ours whose events it takes over; then there are no entries. */
  readonly builtIn: readonly string[];
  readonly subs: readonly { readonly from: string; readonly to: string }[];
  readonly entries: readonly ExtractorEntry[];
  readonly fallback: Fallback;
}

/** What a tenant added to its data model, as far as extractors may name it. */
export interface AddedNames {
  readonly streams?: readonly string[];
  readonly fields?: readonly { readonly stream: string; readonly name: string }[];
}

/** The streams of an extractor, and the fields that its tenant added to them. */
export interface ExtractorNames {
  readonly streams: readonly StreamName[];
  readonly fields: ReadonlySet<string>;
}

/** What is wrong with the text of an extractor. `values` fill the sentence of the code. */
export interface ExtractorFault {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly code: ExtractorFaultCode;
  readonly values: Readonly<Record<string, string | number>>;
  /** The sentence in English. */
  readonly message: string;
}

/** The English sentence of each code; `{name}` stands for a value. */
export const EXTRACTOR_FAULTS = {
  'too-long': 'The text is longer than {most} characters',
  'not-yaml': 'The text is not YAML: {why}',
  'too-deep': 'The text nests deeper than {most} levels',
  'too-many-values': 'The text holds more than {most} values',
  'not-a-map': 'An extractor is a map of keys; this is none',
  alias: 'Anchors and aliases are not read here: write the value out',
  'unknown-key': '"{key}" is no key here; known are {known}',
  'unknown-key-meant': '"{key}" is no key here; did you mean "{meant}"?',
  'key-twice': 'The key "{key}" stands twice',
  'key-missing': '"{key}" is missing',
  'not-a-text': '"{key}" must be a text',
  'not-a-whole-number': '"{key}" must be a whole number from {least} to {most}',
  'not-a-truth': '"{key}" must be true or false',
  'not-a-list': '"{key}" must be a list',
  'not-a-map-of': '"{key}" must be a map',
  'empty-list': '"{key}" is empty',
  'too-many': '"{key}" has more than {most} entries',
  'text-too-long': '"{key}" is longer than {most} characters',
  'unknown-version': 'Schema version {version} is unknown; write 1',
  'bad-name': '"{name}" is no name of a source: letters, digits, blanks and _ . - only, 64 at most',
  'unknown-stream': 'There is no stream "{stream}"; did you mean "{meant}"?',
  'stream-not-listed': 'The stream "{stream}" is not in the list "streams"',
  'unknown-column': 'There is no column "{column}"',
  'unknown-column-meant': 'There is no column "{column}"; did you mean "{meant}"?',
  'our-column': 'Only Tyrian itself fills the column "{column}"',
  'unknown-shape': '"{shape}" is no shape of records; known are {known}',
  'unknown-decoder': '"{decoder}" is no decoder; known are {known}',
  'bad-pattern': '"{pattern}" is no regular expression of RE2: {why}',
  'slow-pattern':
    'This pattern is run by the slower of two engines (some 10 µs a record): begin it with ^ and keep neighbouring parts apart, e.g. [^ ]+ before a blank',
  'unknown-grok': 'There is no grok pattern "{name}"',
  'grok-in-circle': 'The grok pattern "{name}" is made of itself',
  'pattern-missing': 'The decoder "{decoder}" needs a "pattern"',
  'pattern-without-groups': 'The pattern names no field: write (?<field>…)',
  'not-for-decoder': '"{key}" means nothing to the decoder "{decoder}"',
  'nothing-to-match':
    'One of "master-filters", "apps", "record-filters" and "built-in" must say which records are meant',
  'built-in-with-entries':
    'With "built-in" the decoder of Tyrian reads the record; "event-details" has no place',
  'entries-missing': '"event-details" must have a list "first-match"',
  'bad-time-format': '"{format}" is no format of times: {why}',
  'bad-zone': '"{zone}" is no offset from UTC such as +02:00',
  'never-reached': 'The entry before takes every record: this one is never reached',
  'key-not-in-pattern': 'No pattern of the entry names the field "{key}"',
} as const;

export type ExtractorFaultCode = keyof typeof EXTRACTOR_FAULTS;
