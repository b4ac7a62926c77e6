import {
  codedText,
  type RuleSample,
  type ServerMessage,
  say,
  sayOfField,
  storedText,
  type WorkbookDraft,
  workbookDraftSchema,
} from '@tyrian/contract';
import { stringify } from 'yaml';
import { AppError } from '../../platform/app-error.ts';
import { assertInputAllowed } from '../../platform/http/assert-input-allowed.ts';
import { type InputMistake, mistakesOf } from '../../platform/http/input-refusal.ts';
import { readYaml } from './read-yaml.ts';

// A workbook as a YAML file that people can read, compare and keep: how it is written, and how it is read back.

/** Events that are JSON stand in a file as mappings, which people can read and compare. */
function sampleToFile({ name, expect, events }: RuleSample) {
  return { name, expect, events: events.map(asMapping) };
}

function asMapping(event: string): unknown {
  try {
    const value: unknown = JSON.parse(event);
    const isSame = typeof value === 'object' && value !== null && JSON.stringify(value) === event;
    return isSame ? value : event;
  } catch {
    return event;
  }
}

const asText = (event: unknown): unknown =>
  typeof event === 'object' && event !== null ? JSON.stringify(event) : event;

/** A workbook whose samples have their events as text; whatever is wrong with them is told by the schema. */
function withSampleTexts(value: object): object {
  const { samples } = value as { samples?: unknown };
  if (!Array.isArray(samples)) return value;
  const texts = samples.map((sample: unknown) => {
    const events = (sample as { events?: unknown } | null)?.events;
    return Array.isArray(events) ? { ...(sample as object), events: events.map(asText) } : sample;
  });
  return { ...value, samples: texts };
}

/** What a download is called and holds. */
export function workbookFile(draft: WorkbookDraft): { readonly name: string; readonly text: string } {
  const plain = draft.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const { samples, ...rest } = draft;
  const written = samples ? { ...rest, samples: samples.map(sampleToFile) } : rest;
  return { name: `${plain || 'workbook'}.yaml`, text: stringify(written, { lineWidth: 110 }) };
}

/** The version note of what was read back from a file of this name, by its code. */
export const importNote = (name = ''): string =>
  storedText(name === '' ? say('workbooks.imported') : say('workbooks.importedFrom', { name }));

interface FileProblem extends InputMistake {
  /** From 1, where the text itself is at fault. */
  readonly line?: number;
}

const REPORTED = 20;

/** `path`, e.g. `blocks.0.body.query`, is empty for the file as a whole. */
function refuse(code: 'not-yaml' | 'not-a-workbook', problems: readonly FileProblem[]): never {
  const [first = { path: '', reason: say('reasons.wrong') }] = problems;
  const problem = locatedMessage(first);
  const said =
    code === 'not-yaml' ? say('workbooks.notYaml', { problem }) : say('workbooks.notAWorkbook', { problem });
  const listed = problems
    .slice(0, REPORTED)
    .map(({ reason, ...location }) => ({ ...location, ...codedText(reason) }));
  throw new AppError('bad-input', said, { code, problems: listed });
}

function locatedMessage({ path, reason, line }: FileProblem): ServerMessage {
  if (line !== undefined) return say('input.line', { line, reason });
  return path === '' ? reason : sayOfField(path, reason);
}

/** Reads what `workbookFile` writes. Throws AppError `bad-input`; `details` holds a code and every problem's path. */
export function readWorkbookFile(text: string): WorkbookDraft {
  const answer = readYaml(text);
  if (!answer.ok)
    refuse(
      'not-yaml',
      answer.problems.map(({ said, line }) => ({ path: '', reason: said, line })),
    );
  const { value } = answer;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse('not-a-workbook', [{ path: '', reason: say('workbooks.expectedParts') }]);
  }
  assertInputAllowed(value);
  const parsed = workbookDraftSchema.strict().safeParse(withSampleTexts(value), { reportInput: true });
  if (!parsed.success) refuse('not-a-workbook', mistakesOf(parsed.error.issues));
  return parsed.data;
}
