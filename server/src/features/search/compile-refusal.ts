import { say } from '@tyrian/contract';
import type { compileKql } from '@tyrian/kql';
import { AppError } from '../../platform/app-error.ts';

/** The refusal for a text with mistakes; the diagnostics travel with it. */
export function compileRefusal(diagnostics: ReturnType<typeof compileKql>['diagnostics']): AppError {
  const first = diagnostics.find((diagnostic) => diagnostic.severity === 'error');
  return new AppError(
    'bad-input',
    first ? say('search.diagnostic', { diagnostic: first.message }) : say('search.queryHasErrors'),
    { diagnostics },
  );
}
