import type { LintFinding, SigmaCompletions, SigmaHover } from '@tyrian/sigma';

// What the editor asks the worker that knows Sigma. Texts stay in the browser.

export type SigmaWorkerRequest =
  | { readonly kind: 'attack'; readonly names: readonly (readonly [string, string])[] }
  | { readonly kind: 'lint'; readonly text: string }
  | { readonly kind: 'complete'; readonly text: string; readonly position: number }
  | { readonly kind: 'hover'; readonly text: string; readonly position: number };

/** What keeps a text from being one rule that compiles, as far as the text alone tells. */
export interface SigmaMistake {
  readonly code: string;
  readonly message: string;
  readonly span: { readonly start: number; readonly end: number };
}

export interface SigmaAnswers {
  readonly attack: null;
  readonly lint: { readonly mistake: SigmaMistake | null; readonly findings: readonly LintFinding[] };
  readonly complete: SigmaCompletions | null;
  readonly hover: SigmaHover | null;
}

export interface SigmaWorkerMessage {
  readonly id: number;
  readonly request: SigmaWorkerRequest;
}

export type SigmaWorkerAnswer =
  | { readonly id: number; readonly ok: true; readonly answer: SigmaAnswers[keyof SigmaAnswers] }
  | { readonly id: number; readonly ok: false; readonly message: string };
