import type { ExtractorStatus, ReparseState } from '@tyrian/contract';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';
import type { StateTone } from '../../ui/state-mark.tsx';

/** Paths of extraction at the place of the session. */
export function useExtractionPaths() {
  const scope = useScope();
  const list = scopePath(scope, '/system/extraction');
  return {
    list,
    runs: `${list}?tab=runs`,
    page: (extractorId: number): string => `${list}/${extractorId}`,
    new: `${list}/new`,
    /** A new extractor for the events of a source that nothing could read. */
    forSource: (source: string): string => `${list}/new?source=${encodeURIComponent(source)}`,
  };
}

export const STATUS_TONES: Readonly<Record<ExtractorStatus, StateTone>> = {
  enabled: 'good',
  disabled: 'quiet',
  draft: 'warn',
};

export const RUN_TONES: Readonly<Record<ReparseState, StateTone>> = {
  waiting: 'quiet',
  running: 'warn',
  done: 'good',
  failed: 'bad',
  canceled: 'quiet',
};
