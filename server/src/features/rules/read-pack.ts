import { createHash } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import {
  IMPORT_LIMITS,
  PACK_RULE_PREFIX,
  type RULE_KINDS,
  type RuleSample,
  type RuleVerdictName,
} from '@tyrian/contract';
import {
  type CompiledRule,
  judgeSigma,
  kqlOf,
  type MappedField,
  type ReadDocument,
  type Refusal,
  type RuleVerdict,
  readSigmaBytes,
  type SigmaDocument,
  type SigmaLibrary,
  sigmaLibrary,
} from '@tyrian/sigma';
import { storableText } from '../../platform/postgres/storable.ts';
import { isTooLong } from './archive-entry.ts';
import type { ArchiveFile, ArchiveFiles } from './read-archive.ts';
import { type RuleAbout, type StoredField, storedFields } from './rule-about.ts';
import { regressionSamples, samplesInText } from './sample-files.ts';

// The files of a pack to what is kept of each rule. Rules are read together, since correlations and filters name others;
// between them the program does other things.

/** A rule of a pack as it is written to the tenant. */
export interface ReadRule {
  readonly ruleId: string;
  readonly path: string;
  /** In the file. */
  readonly position: number;
  readonly kind: (typeof RULE_KINDS)[number];
  readonly sigmaId: string | null;
  readonly title: string;
  readonly level: string;
  readonly status: string;
  readonly logSource: string;
  readonly tactics: readonly string[];
  readonly techniques: readonly string[];
  readonly streams: readonly string[] | null;
  /** On a tenant that has every source and field. */
  readonly verdict: RuleVerdictName;
  readonly reasonCode: string | null;
  readonly canRun: boolean;
  readonly kql: string | null;
  readonly text: string;
  /** That came with it. */
  readonly samples: readonly RuleSample[];
  readonly about: RuleAbout;
}

interface FileDocument {
  readonly file: ArchiveFile;
  readonly text: string;
  readonly position: number;
  readonly document: ReadDocument;
}

/** Of a text that is too long to be a rule only the beginning is kept. */
const SHOWN_OF_LONG = 4_000;
/** Rules between two breaths. */
const AT_ONCE = 20;
const LONGEST_TITLE = 300;
const LONGEST_TEXT = 20_000;
const MOST_LISTED = 100;
/** A correlation is looked at every minute over all of its window; a longer one gets a verdict, but does not run. */
const LONGEST_TIMESPAN_MS = 24 * 3_600_000;

/** Reads and compiles all files. Throws the reason of `signal` when it aborts. `progress` hears how many files are read. */
export async function readPack(
  packId: string,
  { rules: files, samples }: ArchiveFiles,
  signal: AbortSignal,
  progress: (files: number) => Promise<void>,
): Promise<readonly ReadRule[]> {
  const documents: FileDocument[] = [];
  for (const [at, file] of files.entries()) {
    documents.push(...documentsOf(file));
    if (at % AT_ONCE === 0) {
      await breathe();
      signal.throwIfAborted();
      await progress(at);
    }
  }
  const library = sigmaLibrary(documents.map(({ document }) => document));
  const beside = regressionSamples(
    samples.map(({ path, bytes }) => ({ path, text: storableText(bytes.toString('utf8')) })),
  );
  const known = new Set<string>();
  const rules: ReadRule[] = [];
  for (const [at, one] of documents.entries()) {
    const rule = readRule(packId, one, library, known);
    const own = [...samplesInText(one.text, one.position), ...(beside.get(rule.sigmaId ?? '') ?? [])];
    rules.push({ ...rule, samples: own });
    if (at % AT_ONCE === 0) {
      await breathe();
      signal.throwIfAborted();
    }
  }
  return rules;
}

function documentsOf(file: ArchiveFile): readonly FileDocument[] {
  // What is too long is not unpacked; the reader refuses it by its length, wherever that comes from.
  const bytes = isTooLong(file.size) ? Buffer.alloc(IMPORT_LIMITS.fileBytes + 1, 0x20) : file.bytes;
  const written = storableText(file.bytes.toString('utf8'));
  const text = isTooLong(file.size) ? written.slice(0, SHOWN_OF_LONG) : written;
  return readSigmaBytes(bytes).map((document, position) => ({ file, text, position, document }));
}

/** By its Sigma id, so that it stays the same rule wherever its file goes; by its file and position when it has none of its own. */
function ruleIdOf(packId: string, { file, position, document }: FileDocument, known: Set<string>): string {
  const id = document.ok ? document.document.id : document.id;
  const key = id !== undefined && !known.has(id) ? id : `${file.path}\0${position}`;
  known.add(key);
  return PACK_RULE_PREFIX + createHash('sha256').update(`${packId}\0${key}`).digest('hex').slice(0, 32);
}

const cut = (text: string | undefined, most: number): string => storableText((text ?? '').slice(0, most));
const cutList = (list: readonly string[]): readonly string[] =>
  list.slice(0, MOST_LISTED).map((text) => cut(text, LONGEST_TITLE));

function logSourceOf(document: SigmaDocument): string {
  if (document.kind === 'correlation') return '';
  const { product, category, service } = document.logSource;
  return cut([product, category, service].filter(Boolean).join('/'), LONGEST_TITLE);
}

function readRule(
  packId: string,
  one: FileDocument,
  library: SigmaLibrary,
  known: Set<string>,
): Omit<ReadRule, 'samples'> {
  const position = {
    ruleId: ruleIdOf(packId, one, known),
    path: storableText(one.file.path),
    position: one.position,
    text: one.text,
  };
  const judged = judgeSigma(one.document, library, {});
  if (!one.document.ok) return { ...position, ...unreadable(one, judged as Refusal) };
  const { document } = one.document;
  const compiled = judged.verdict === 'runs' ? judged.compiled : null;
  const timespanMs = document.kind === 'correlation' ? document.timespanMs : null;
  const kql = compiled && (timespanMs ?? 0) <= LONGEST_TIMESPAN_MS ? kqlOf(compiled) : null;
  const needs = needsOf(judged, library);
  return {
    ...position,
    kind: document.kind,
    sigmaId: document.id === undefined ? null : cut(document.id, LONGEST_TITLE),
    title: cut(document.title, LONGEST_TITLE),
    level: document.level ?? '',
    status: document.status ?? '',
    logSource: logSourceOf(document),
    tactics: cutList(document.tactics),
    techniques: cutList(document.techniques),
    streams: needs.streams,
    ...reasonOf(judged),
    canRun: kql !== null && library.raisesSignals(document),
    kql,
    about: {
      description: cut(document.description, LONGEST_TEXT),
      authors: cut(document.author, LONGEST_TEXT),
      licence: cut(document.license, LONGEST_TITLE),
      references: cutList(document.references),
      falsepositives: cutList(document.falsepositives),
      tags: cutList(document.tags),
      mapping: compiled !== null && 'mapping' in compiled ? compiled.mapping : null,
      fields: needs.fields,
      timespanMs,
      groups: document.kind === 'correlation' ? document.groupBy.length : 0,
      ...whyNot(judged),
    },
  };
}

const reasonOf = (judged: RuleVerdict) => ({
  verdict: judged.verdict,
  reasonCode: judged.verdict === 'runs' ? null : judged.code,
});

const whyNot = (judged: RuleVerdict): Pick<RuleAbout, 'reason' | 'span'> =>
  judged.verdict === 'runs'
    ? { reason: '', span: null }
    : {
        reason: cut(judged.reason, LONGEST_TEXT),
        span: { start: judged.span.start, end: judged.span.end },
      };

function unreadable(
  { document, file }: FileDocument,
  judged: Refusal,
): Omit<ReadRule, 'ruleId' | 'path' | 'position' | 'text' | 'samples'> {
  const { title, id } = document.ok ? document.document : document;
  return {
    kind: 'unreadable',
    sigmaId: id === undefined ? null : cut(id, LONGEST_TITLE),
    title: cut(title ?? file.path.split('/').at(-1), LONGEST_TITLE),
    level: '',
    status: '',
    logSource: '',
    tactics: [],
    techniques: [],
    streams: null,
    ...reasonOf(judged),
    canRun: false,
    kql: null,
    about: {
      ...{ description: '', authors: '', licence: '', references: [], falsepositives: [], tags: [] },
      ...{ mapping: null, fields: [], timespanMs: null, groups: 0 },
      ...whyNot(judged),
    },
  };
}

/** What a rule reads; of a correlation what its rules read. */
function needsOf(
  judged: RuleVerdict,
  library: SigmaLibrary,
): { readonly streams: readonly string[] | null; readonly fields: readonly StoredField[] } {
  if (judged.verdict !== 'runs' || judged.compiled === null) return { streams: null, fields: [] };
  const { compiled } = judged;
  const rules: readonly CompiledRule[] =
    'mapping' in compiled
      ? [compiled]
      : compiled.rules.flatMap((document) => {
          const part = judgeSigma({ ok: true, document }, library, {});
          return part.verdict === 'runs' && part.compiled && 'mapping' in part.compiled
            ? [part.compiled]
            : [];
        });
  const fields = new Map<string, MappedField>(
    rules.flatMap((rule) => rule.fields).map((field) => [field.field, field]),
  );
  const isAnywhere = rules.some(({ streams }) => streams === null);
  return {
    streams: isAnywhere ? null : [...new Set(rules.flatMap(({ streams }) => streams ?? []))].sort(),
    fields: storedFields([...fields.values()]),
  };
}
