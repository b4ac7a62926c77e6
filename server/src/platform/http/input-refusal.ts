import {
  codedText,
  type MessageValue,
  type ServerMessage,
  say,
  sayByCode,
  sayOfField,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError } from '../app-error.ts';

// Input that a schema refuses, as messages: the place by the path, the reason by zod's code, or by the code that a rule
// of our own gives as its message (packages/contract/src/messages/input-messages.ts).

/** One mistake. An empty path is the input as a whole. */
export interface InputMistake {
  readonly path: string;
  readonly reason: ServerMessage;
}

/** `addfilters.0: must be a list`, by code. */
export const saidOf = ({ path, reason }: InputMistake): ServerMessage =>
  path === '' ? say('input.body', { reason }) : sayOfField(path, reason);

/** The refusal of an input with mistakes: the first is its sentence, all of them travel in `data`. */
export function inputRefusal(mistakes: readonly InputMistake[]): AppError {
  const first = mistakes[0] ?? { path: '', reason: say('reasons.wrong') };
  const listed = mistakes.map(({ path, reason }) => ({ path, ...codedText(reason) }));
  return new AppError('bad-input', saidOf(first), listed);
}

type Issue = z.core.$ZodIssue;

/**
 * The mistakes that zod found, with `within` before each path. Parse with `reportInput`, or what is missing is called
 * wrong.
 */
export function mistakesOf(issues: readonly Issue[], within = ''): InputMistake[] {
  return issues.map((issue) => ({
    path: [...(within ? [within] : []), ...issue.path.map(String)].join('.'),
    reason: reasonOf(issue),
  }));
}

/** Why zod refused a value. */
function reasonOf(issue: Issue): ServerMessage {
  const own = ownReason(issue);
  if (own !== null) return own;
  switch (issue.code) {
    case 'invalid_type':
      return typeReason(issue);
    case 'too_small':
      return smallReason(issue);
    case 'too_big':
      return bigReason(issue);
    case 'invalid_format':
      return say(`reasons.${FORMATS[issue.format] ?? 'format'}`);
    case 'not_multiple_of':
      return say('reasons.multiple', { step: issue.divisor });
    case 'unrecognized_keys':
      return say('reasons.unknownFields', { names: issue.keys.slice(0, 10).join(', ') });
    case 'invalid_value':
      return say('reasons.oneOf', { values: issue.values.map(String).join(', ') });
    default:
      return say('reasons.wrong');
  }
}

/** A rule of a schema of ours: its message is a code, its values are in `params`. */
function ownReason(issue: Issue): ServerMessage | null {
  if (!issue.message.startsWith('reasons.')) return null;
  const values =
    issue.code === 'custom' ? (issue.params as Record<string, MessageValue> | undefined) : undefined;
  return sayByCode(issue.message, values ?? {});
}

const FORMATS = {
  email: 'email',
  url: 'url',
  ipv4: 'address',
  ipv6: 'address',
  cidrv4: 'network',
  cidrv6: 'network',
  datetime: 'time',
} as const as Readonly<Record<string, 'email' | 'url' | 'address' | 'network' | 'time' | undefined>>;

const TYPES = {
  string: 'text',
  number: 'number',
  int: 'wholeNumber',
  boolean: 'flag',
  array: 'list',
  object: 'object',
  record: 'object',
} as const as Readonly<
  Record<string, 'text' | 'number' | 'wholeNumber' | 'flag' | 'list' | 'object' | undefined>
>;

function typeReason(issue: Extract<Issue, { code: 'invalid_type' }>): ServerMessage {
  if ('input' in issue && issue.input === undefined) return say('reasons.missing');
  return say(`reasons.${TYPES[issue.expected] ?? 'wrong'}`);
}

function smallReason(issue: Extract<Issue, { code: 'too_small' }>): ServerMessage {
  const least = Number(issue.minimum);
  if (issue.origin === 'string')
    return least <= 1 ? say('reasons.empty') : say('reasons.tooShort', { least });
  if (issue.origin === 'array' || issue.origin === 'set') {
    return least <= 1 ? say('reasons.empty') : say('reasons.listTooShort', { least });
  }
  return say(issue.inclusive === false ? 'reasons.above' : 'reasons.tooSmall', { least });
}

function bigReason(issue: Extract<Issue, { code: 'too_big' }>): ServerMessage {
  const most = Number(issue.maximum);
  if (issue.origin === 'string') return say('reasons.tooLong', { most });
  if (issue.origin === 'array' || issue.origin === 'set') return say('reasons.listTooLong', { most });
  return say(issue.inclusive === false ? 'reasons.below' : 'reasons.tooLarge', { most });
}
