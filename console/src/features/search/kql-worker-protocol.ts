import type { Diagnostic, Span } from '@tyrian/diagnostics';

// What the editor asks the language worker, and what it answers. Each request carries a number; answers may
// come in another order, and the editor drops those that are late.

/** Fields of this tenant's events beyond the catalog: `path` below Ext, dotted. */
export interface ExtField {
  readonly stream: string;
  readonly path: string;
  readonly type: string;
}

export type KqlWorkerRequest =
  | { readonly kind: 'schema'; readonly extFields: readonly ExtField[] }
  | { readonly kind: 'complete'; readonly text: string; readonly position: number }
  | { readonly kind: 'classify'; readonly text: string }
  | { readonly kind: 'diagnose'; readonly text: string }
  | { readonly kind: 'hover'; readonly text: string; readonly position: number }
  | { readonly kind: 'format'; readonly text: string };

export interface KqlSuggestion {
  readonly label: string;
  readonly kind: string;
  readonly detail?: string;
  /** What is put in; the cursor ends after `insertBefore`. */
  readonly insertBefore: string;
  readonly insertAfter: string;
}

export interface KqlCompletion {
  readonly span: Span;
  readonly suggestions: readonly KqlSuggestion[];
}

export interface KqlColour {
  readonly span: Span;
  readonly kind: string;
}

export interface KqlAnswers {
  readonly schema: null;
  readonly complete: KqlCompletion;
  readonly classify: readonly KqlColour[];
  readonly diagnose: readonly Diagnostic[];
  readonly hover: string | null;
  readonly format: string | null;
}

export interface KqlWorkerMessage {
  readonly id: number;
  readonly request: KqlWorkerRequest;
}

export type KqlWorkerAnswer =
  | { readonly id: number; readonly ok: true; readonly answer: KqlAnswers[keyof KqlAnswers] }
  | { readonly id: number; readonly ok: false; readonly message: string };
