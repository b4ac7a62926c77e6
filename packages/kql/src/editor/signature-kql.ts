import type { SavedFunction } from '../views/saved-function.ts';
import { type CallSignature, signaturesOf } from './call-signature.ts';
import { type EditorWords, ENGLISH_WORDS, wordOf } from './editor-words.ts';

/** The call around a position: what it may be given, and which argument the position is in. */
export interface KqlSignatureHelp {
  readonly forms: readonly CallSignature[];
  /** Argument at the position, from 0. */
  readonly argument: number;
  readonly note: string;
}

/**
 * Forms of a function by name; lets of the text are read from it, saved functions are given. Null when nothing of that
 * name can be called.
 */
export function signatureKql(
  text: string,
  name: string,
  argument: number,
  functions: readonly SavedFunction[] = [],
  words: EditorWords = ENGLISH_WORDS,
): KqlSignatureHelp | null {
  const own = new RegExp(`\\blet\\s+${name}\\s*=\\s*(?:view\\s*)?\\(([^{]*)\\)\\s*\\{`).exec(text);
  const saved = own ? undefined : functions.find((one) => one.name === name);
  if (saved) {
    const forms = [userSignature(name, saved.parameters)];
    return { forms, argument, note: saved.description ?? '' };
  }
  const forms = own ? [userSignature(name, own[1] ?? '')] : signaturesOf(name);
  return forms.length === 0 ? null : { forms, argument, note: own ? '' : wordOf(words, 'functions', name) };
}

function userSignature(name: string, written: string): CallSignature {
  const parameters = written
    .split(/,(?![^(]*\))/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => ({ label: one, type: '' }));
  return { text: `${name}(${parameters.map(({ label }) => label).join(', ')})`, parameters, result: '' };
}
