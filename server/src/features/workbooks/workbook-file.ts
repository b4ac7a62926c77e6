import { type WorkbookDraft, workbookDraftSchema } from '@tyrian/contract';
import { stringify } from 'yaml';
import type { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import { assertInputAllowed } from '../../platform/http/assert-input-allowed.ts';
import { readYaml } from './read-yaml.ts';

// A workbook as a YAML file that people can read, compare and keep: how it is written, and how it is read back.

/** What a download is called and holds. */
export function workbookFile(draft: WorkbookDraft): { readonly name: string; readonly text: string } {
  const plain = draft.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return { name: `${plain || 'workbook'}.yaml`, text: stringify(draft, { lineWidth: 110 }) };
}

export interface FileProblem {
  /** e.g. `blocks.0.body.query`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
  /** From 1, where the text itself is at fault. */
  readonly line?: number;
}

const REPORTED = 20;

function refuse(code: 'not-yaml' | 'not-a-workbook', problems: readonly FileProblem[]): never {
  const [first] = problems;
  const where = first?.line === undefined ? first?.path : `line ${first.line}`;
  const what = code === 'not-yaml' ? 'The file is not YAML' : 'The file does not contain a workbook';
  const message = `${what}: ${where ? `${where}: ` : ''}${first?.message ?? ''}`;
  throw new AppError('bad-input', message, { code, problems: problems.slice(0, REPORTED) });
}

const problemOf = (issue: z.core.$ZodIssue): FileProblem => ({
  path: issue.path.join('.'),
  message: issue.message,
});

/** Reads what `workbookFile` writes. Throws AppError `bad-input`; `details` holds a code and every problem's place. */
export function readWorkbookFile(text: string): WorkbookDraft {
  const answer = readYaml(text);
  if (!answer.ok)
    refuse(
      'not-yaml',
      answer.problems.map((problem) => ({ path: '', ...problem })),
    );
  const { value } = answer;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse('not-a-workbook', [{ path: '', message: 'name, schedule and blocks are expected' }]);
  }
  assertInputAllowed(value);
  const parsed = workbookDraftSchema.strict().safeParse(value);
  if (!parsed.success) refuse('not-a-workbook', parsed.error.issues.map(problemOf));
  return parsed.data;
}
