import type { Diagnostic } from '@tyrian/diagnostics';

/** What is said of a mistake instead of the words of the language service. */
export type Explained = Pick<Diagnostic, 'message' | 'hint' | 'fixes'> & Partial<Pick<Diagnostic, 'span'>>;
