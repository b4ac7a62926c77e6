export type { Diagnostic, Severity, Span } from './diagnostic.ts';
export { renderDiagnostic } from './render-diagnostic.ts';
