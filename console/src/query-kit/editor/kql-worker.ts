import type { Diagnostic } from '@tyrian/diagnostics';
import {
  boundStagesKql,
  classifyKql,
  completeKql,
  diagnoseKql,
  type EditorWords,
  ENGLISH_WORDS,
  eventSchema,
  type FieldFacts,
  formatKql,
  hoverKql,
  type KqlColour,
  type KqlNamePositions,
  type KqlSchema,
  namePositions,
  signatureKql,
  valuePlaceKql,
} from '@tyrian/kql';
import { formatStatements } from './kql-format-text.ts';
import { partAt, partsOf } from './kql-statements.ts';
import type {
  KqlAnswers,
  KqlWorkerAnswer,
  KqlWorkerMessage,
  KqlWorkerRequest,
} from './kql-worker-protocol.ts';

// The language service runs here, away from typing. The first answer pays for loading it; the schema is rebuilt
// only when the tenant's fields change.

let schema: KqlSchema = eventSchema([]);
let facts: FieldFacts = new Map();
let words: EditorWords = ENGLISH_WORDS;

// Loading the language service takes most of a second: before the first question, not within it.
completeKql('', 0, schema);

function answerTo(request: KqlWorkerRequest): KqlAnswers[keyof KqlAnswers] {
  switch (request.kind) {
    case 'schema':
      schema = eventSchema([...request.extFields], undefined, request.functions, request.catalog);
      facts = new Map(request.facts.map((fact) => [fact.name, fact]));
      return null;
    case 'words':
      words = request.words ?? ENGLISH_WORDS;
      return null;
    case 'complete':
      return completeKql(isolatedAt(request), request.position, schema, facts, words);
    case 'classify':
      return colours(request.text);
    case 'diagnose':
      return remarks(request.text);
    case 'hover':
      return hoverKql(isolatedAt(request), request.position, schema, facts, words);
    case 'signature':
      return signatureKql(request.text, request.name, request.argument, schema.functions, words);
    case 'places':
      return placesOf(request.text, request.position);
    case 'format':
      return formatStatements(request.text, (text) => formatKql(text, schema));
    case 'value':
      return valuePlaceKql(isolatedAt(request), request.position, schema, facts);
    case 'bound':
      return boundStagesKql(request.text, schema);
  }
}

const isolatedAt = ({ text, position }: { readonly text: string; readonly position: number }): string =>
  partAt(text, position).isolated;

/** One of each, by where it is and what it says: queries share their lets. */
function distinct<T>(found: readonly T[], keyOf: (each: T) => string): T[] {
  return [...new Map(found.map((each) => [keyOf(each), each])).values()];
}

function colours(text: string): KqlColour[] {
  const found = partsOf(text).flatMap(({ isolated }) => classifyKql(isolated, schema));
  return distinct(found, ({ span }) => String(span.start));
}

function remarks(text: string): Diagnostic[] {
  const found = partsOf(text).flatMap(({ isolated }) => diagnoseKql(isolated, schema, new Date()));
  return distinct(found, ({ span, code }) => `${span.start} ${code}`);
}

/** The places of a name in every query that uses it. */
function placesOf(text: string, position: number): KqlNamePositions | null {
  const found = partsOf(text)
    .filter(({ pieces }) => pieces.some(({ start, end }) => position >= start && position <= end))
    .map(({ isolated }) => namePositions(isolated, position, schema))
    .filter((each) => each !== null);
  const [first] = found;
  if (!first) return null;
  const places = distinct(
    found.flatMap((each) => each.places),
    ({ start }) => String(start),
  );
  return { name: first.name, places: places.sort((one, other) => one.start - other.start) };
}

function answer({ id, request }: KqlWorkerMessage): KqlWorkerAnswer {
  try {
    return { id, ok: true, answer: answerTo(request) };
  } catch (error) {
    return { id, ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

self.addEventListener('message', (event: MessageEvent<KqlWorkerMessage>) => {
  self.postMessage(answer(event.data));
});
