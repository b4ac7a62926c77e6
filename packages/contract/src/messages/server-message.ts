import {
  type Diagnostic,
  fillTemplate,
  isSentence,
  type NamesIn,
  type Sentence,
  sentenceTemplate,
} from '@tyrian/diagnostics';
import { MESSAGE_TEMPLATES } from './message-templates.ts';
import {
  type CodedText,
  type MessageValue,
  type MessageValues,
  type ServerMessage,
  storedMessageSchema,
} from './message-values.ts';

// What the server says to people: a code, its values, and the English sentence for programs and logs. Whoever shows it
// translates by the code; nobody translates by the text.

type Templates = typeof MESSAGE_TEMPLATES;
type Area = keyof Templates;

/** e.g. `cases.closed`. */
export type MessageCode = { [A in Area]: `${A}.${keyof Templates[A] & string}` }[Area];

type TemplateOf<C extends MessageCode> = C extends `${infer A extends Area}.${infer N}`
  ? N extends keyof Templates[A]
    ? Templates[A][N]
    : never
  : never;

type ValuesOf<C extends MessageCode> = Readonly<Record<NamesIn<TemplateOf<C>>, MessageValue>>;
type ValuesGiven<C extends MessageCode> = [NamesIn<TemplateOf<C>>] extends [never] ? [] : [ValuesOf<C>];

/** Before the key of a sentence of the compiler: its code in a message. */
export const KQL_AREA = 'kql.';

/** The template of a code; undefined for a code that this version does not know. */
export function templateOf(code: string): string | undefined {
  if (code.startsWith(KQL_AREA)) return sentenceTemplate(code.slice(KQL_AREA.length));
  const [area = '', name = ''] = code.split('.');
  const areas: Readonly<Record<string, Readonly<Record<string, string>>>> = MESSAGE_TEMPLATES;
  const templates = Object.hasOwn(areas, area) ? areas[area] : undefined;
  return templates !== undefined && Object.hasOwn(templates, name) ? templates[name] : undefined;
}

/** A part of a message in English. */
export const englishOf = (value: MessageValue | undefined): string =>
  typeof value === 'object' ? value.text : String(value ?? '');

/** A message by a code that came from elsewhere; null when there is no such code. */
export function sayByCode(code: string, values: MessageValues): ServerMessage | null {
  return templateOf(code) === undefined ? null : filled(code, values);
}

/** The message behind the fields of an answer; text without a code stands as it is. */
export function sayAgain({ message, messageCode, messageValues }: CodedText): ServerMessage {
  if (messageCode === undefined) return say('search.diagnostic', { diagnostic: message });
  return { code: messageCode, values: messageValues ?? {}, text: message };
}

function filled(code: string, values: MessageValues): ServerMessage {
  const template = templateOf(code) ?? code;
  return { code, values, text: fillTemplate(template, (name) => englishOf(values[name])) };
}

/** A message: `say('cases.closed')`, `say('users.emailTaken', { email })`. */
export function say<C extends MessageCode>(code: C, ...given: ValuesGiven<C>): ServerMessage {
  return filled(code, given[0] ?? {});
}

/** What the compiler says, as a part of a message; its English alone where its words are not known as data. */
export function sayDiagnostic({ message, text }: Pick<Diagnostic, 'message' | 'text'>): MessageValue {
  return text === undefined || sentenceTemplate(text.key) === undefined ? message : sentencePart(text);
}

function sentencePart({ key, values = {} }: Sentence): ServerMessage {
  const part = (value: unknown): MessageValue => {
    if (isSentence(value)) return sentencePart(value);
    return typeof value === 'number' ? value : String(value);
  };
  const parts = Object.entries(values).map(([name, value]) => [name, part(value)] as const);
  return filled(`${KQL_AREA}${key}`, Object.fromEntries(parts));
}

/** Several parts as one, with commas between. */
export function sayAll(parts: readonly MessageValue[]): MessageValue {
  const [first = '', ...others] = parts;
  return others.length === 0 ? first : say('words.several', { first, others: sayAll(others) });
}

/** A refusal of one field of the input: `addfilters: needs a number`. */
export function sayOfField(field: string, reason: ServerMessage): ServerMessage {
  return say('input.field', { field, reason });
}

/** A message as the fields of an answer. */
export function codedText({ code, values, text }: ServerMessage): Required<CodedText> {
  return { message: text, messageCode: code, messageValues: values };
}

/** No sentence begins so, and no store refuses it. */
const STORED = '\u{E000}';

/** A message for a column of texts. `readStoredText` reads it back. */
export function storedText({ code, values }: ServerMessage): string {
  return `${STORED}${JSON.stringify({ code, values })}`;
}

/** What `storedText` wrote, its English made anew; a plain sentence, as older versions wrote it, has no code. */
export function readStoredText(stored: string): CodedText {
  if (!stored.startsWith(STORED)) return { message: stored };
  const read = storedMessageSchema.safeParse(parsed(stored.slice(STORED.length)));
  const said = read.success ? sayByCode(read.data.code, read.data.values) : null;
  return said === null ? { message: stored } : codedText(said);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
