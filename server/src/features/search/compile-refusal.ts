import { AppError } from '../../platform/app-error.ts';
import type { CompileResult } from './kql-compiler.ts';

/** The refusal for a text with mistakes; the diagnostics travel with it. */
export function compileRefusal(diagnostics: CompileResult['diagnostics']): AppError {
  const first = diagnostics.find((diagnostic) => diagnostic.severity === 'error');
  return new AppError('bad-input', first?.message ?? 'the query has mistakes', { diagnostics });
}
