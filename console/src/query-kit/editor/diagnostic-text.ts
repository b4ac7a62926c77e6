import { type Diagnostic, fillSentence, type Sentence } from '@tyrian/diagnostics';
import { templateIn } from '../../lib/server-text.ts';

// What a diagnostic of KQL says in the language of the console. The sentences of the other languages stand in the
// files `kql.<locale>.json`, by the keys that the diagnostics carry; English is what the compiler says itself.

export interface DiagnosticText {
  readonly message: string;
  readonly hint?: string;
}

type Told = Pick<Diagnostic, 'message' | 'hint' | 'text' | 'hintText'>;

/** Message and hint in the active language, each in English where it has no translation. */
export function diagnosticText({ message, hint, text, hintText }: Told): DiagnosticText {
  const said = { message: translated(text) ?? message };
  return hint === undefined ? said : { ...said, hint: translated(hintText) ?? hint };
}

/** What stopped a query, of its diagnostics; null when none is an error. */
export function mistakeText(diagnostics: readonly (Told & Pick<Diagnostic, 'severity'>)[]): string | null {
  const mistake = diagnostics.find((each) => each.severity === 'error');
  return mistake ? diagnosticText(mistake).message : null;
}

const translated = (sentence: Sentence | undefined): string | null =>
  sentence ? fillSentence(sentence, (key) => templateIn('kql', key)) : null;
