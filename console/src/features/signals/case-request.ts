import type { Severity, Signal } from '@tyrian/contract';
import { scoreBand } from '../../ui/score-tile.tsx';

/** Signals that are to go into a case, with the name and severity that a new case starts with. */
export interface CaseRequest {
  readonly ids: readonly string[];
  readonly name?: string;
  readonly severity?: Severity;
}

const SEVERITY_OF_BAND = { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low' } as const;

/** The signal with the highest score gives the name and the severity. Signals that are not loaded have no say. */
export function caseRequest(
  ids: readonly string[],
  signals: readonly Pick<Signal, 'name' | 'score'>[],
): CaseRequest {
  const highest = [...signals].sort((a, b) => b.score - a.score)[0];
  return { ids, name: highest?.name, severity: highest && SEVERITY_OF_BAND[scoreBand(highest.score)] };
}
