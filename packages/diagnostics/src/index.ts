export type { Diagnostic, Severity, Span } from './diagnostic.ts';
