import { isPackRuleId, type PreviewRuleState, type PreviewState } from '@tyrian/contract';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';
import { lastRange } from '../../lib/time-range.ts';
import type { StateTone } from '../../ui/state-mark.tsx';

export const STATE_TONES: Readonly<Record<PreviewState | PreviewRuleState, StateTone>> = {
  waiting: 'quiet',
  running: 'good',
  done: 'good',
  'too-noisy': 'warn',
  failed: 'bad',
  canceled: 'warn',
};

export const DEFAULT_RANGE = lastRange('7d');

export const isOpen = (state: PreviewState): boolean => state === 'waiting' || state === 'running';

/** Paths at the place of the session. */
export function usePreviewPaths() {
  const scope = useScope();
  return {
    rules: scopePath(scope, '/rules'),
    list: scopePath(scope, '/rules/previews'),
    ofRule: (ruleId: string): string =>
      `${scopePath(scope, '/rules/previews')}?rule=${encodeURIComponent(ruleId)}`,
    page: (previewId: string): string => scopePath(scope, `/rules/previews/${encodeURIComponent(previewId)}`),
    rule: (id: string): string =>
      isPackRuleId(id)
        ? scopePath(scope, `/rules/${encodeURIComponent(id)}`)
        : scopePath(scope, `/workbook/view/${encodeURIComponent(id)}`),
  };
}
