import type { TenantCatalog } from '@tyrian/catalog';
import type { Diagnostic } from '@tyrian/diagnostics';
import type {
  BoundStage,
  EditorWords,
  ExtField,
  FieldFact,
  KqlColour,
  KqlCompletion,
  KqlNamePositions,
  KqlSignatureHelp,
  KqlValuePosition,
  SavedFunction,
} from '@tyrian/kql';

// What the editor asks the language worker, and what it answers. Each request carries a number; answers may
// come in another order, and the editor drops those that are late.

/** What the tenant has beyond the catalog. */
export interface TaughtNames {
  readonly extFields: readonly ExtField[];
  readonly facts: readonly FieldFact[];
  readonly functions: readonly SavedFunction[];
  /** Streams, fields and tables that the tenant added. */
  readonly catalog: TenantCatalog;
}

export type KqlWorkerRequest =
  | ({ readonly kind: 'schema' } & TaughtNames)
  /** The language of what the worker says; null: English. */
  | { readonly kind: 'words'; readonly words: EditorWords | null }
  | { readonly kind: 'complete'; readonly text: string; readonly position: number }
  | { readonly kind: 'classify'; readonly text: string }
  | { readonly kind: 'diagnose'; readonly text: string }
  | { readonly kind: 'hover'; readonly text: string; readonly position: number }
  | {
      readonly kind: 'signature';
      readonly text: string;
      readonly name: string;
      readonly argument: number;
    }
  | { readonly kind: 'places'; readonly text: string; readonly position: number }
  | { readonly kind: 'value'; readonly text: string; readonly position: number }
  | { readonly kind: 'bound'; readonly text: string }
  | { readonly kind: 'format'; readonly text: string };

export interface KqlAnswers {
  readonly schema: null;
  readonly words: null;
  readonly complete: KqlCompletion;
  readonly classify: readonly KqlColour[];
  readonly diagnose: readonly Diagnostic[];
  readonly hover: string | null;
  readonly signature: KqlSignatureHelp | null;
  readonly places: KqlNamePositions | null;
  readonly value: KqlValuePosition | null;
  readonly bound: readonly BoundStage[];
  readonly format: string | null;
}

export interface KqlWorkerMessage {
  readonly id: number;
  readonly request: KqlWorkerRequest;
}

export type KqlWorkerAnswer =
  | { readonly id: number; readonly ok: true; readonly answer: KqlAnswers[keyof KqlAnswers] }
  | { readonly id: number; readonly ok: false; readonly message: string };
