import { type ServerMessage, say, sayDiagnostic } from '@tyrian/contract';
import type { compileKql } from '@tyrian/kql';
import { AppError } from '../../platform/app-error.ts';

/** The refusal for a text with mistakes, in the words of the first; the diagnostics travel with it. */
export function compileRefusal(
  diagnostics: ReturnType<typeof compileKql>['diagnostics'],
  otherwise: ServerMessage = say('search.queryHasErrors'),
): AppError {
  const first = diagnostics.find((diagnostic) => diagnostic.severity === 'error');
  const said = first ? say('search.diagnostic', { diagnostic: sayDiagnostic(first) }) : otherwise;
  return new AppError('bad-input', said, { diagnostics });
}
