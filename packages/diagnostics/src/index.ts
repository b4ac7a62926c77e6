export type { Diagnostic, Fix, Severity, Span } from './diagnostic.ts';
export { renderDiagnostic } from './render-diagnostic.ts';
