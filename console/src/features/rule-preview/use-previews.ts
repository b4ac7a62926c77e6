import {
  cancelRulePreview,
  listRulePreviews,
  readRulePreview,
  removeRulePreview,
  startRulePreview,
} from '@tyrian/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { resolveRange, type TimeRange } from '../../lib/time-range.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { usePreviewPaths } from './preview-words.ts';

interface Start {
  readonly ruleIds: readonly string[];
  readonly kind: 'preview' | 'retro-hunt';
  readonly range: TimeRange;
}

/** Starts a preview and opens its page. */
export function useStartPreview() {
  const { t } = useTranslation('rule-preview');
  const { clusterId, scopeId } = useScope();
  const { timeZone } = useSettings();
  const navigate = useNavigate();
  const paths = usePreviewPaths();
  const { mutate, isPending, error } = useCallMutation(startRulePreview, {
    stale: [listRulePreviews],
    quiet: true,
  });
  const start = ({ ruleIds, kind, range }: Start) => {
    const wanted = resolveRange(range, Date.now(), timeZone);
    if (!wanted) return;
    mutate(
      {
        params: { clusterId },
        input: { scope_id: scopeId, kind, rule_ids: [...ruleIds], start: wanted.from, end: wanted.to },
      },
      {
        onSuccess: ({ preview_id, skipped }) => {
          if (skipped > 0) notify('info', t('skipped', { count: skipped }));
          void navigate(paths.page(preview_id));
        },
      },
    );
  };
  return { start, isPending, error };
}

/** Stops and deletes previews. */
export function usePreviewActs() {
  const { clusterId, scopeId } = useScope();
  const stopping = useCallMutation(cancelRulePreview, { stale: [readRulePreview, listRulePreviews] });
  const { mutate: removeOne } = useCallMutation(removeRulePreview, { stale: [listRulePreviews] });
  const remove = useCallback(
    (preview_id: string, onSuccess?: () => void) =>
      removeOne(
        { params: { clusterId }, input: { scope_id: scopeId, preview_id } },
        onSuccess ? { onSuccess } : {},
      ),
    [removeOne, clusterId, scopeId],
  );
  return {
    remove,
    isStopping: stopping.isPending,
    stop: (preview_id: string) =>
      stopping.mutate({ params: { clusterId }, input: { scope_id: scopeId, preview_id } }),
  };
}
