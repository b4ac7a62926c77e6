import { useQueryClient } from '@tanstack/react-query';
import {
  listSignals,
  listSuppressedSignals,
  listSuppressionRules,
  restoreSuppressedSignals,
  type SuppressionRule,
} from '@tyrian/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../lib/call.ts';
import { notify, notifyFailure } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { markStale } from '../../lib/use-call.ts';
import { askToConfirm } from '../../ui/confirm-button.tsx';

/** Asks, and puts all that a rule suppressed into the queue. */
export function useRestore(): (rule: SuppressionRule) => void {
  const { t } = useTranslation('suppression');
  const { clusterId, scopeId } = useScope();
  const client = useQueryClient();
  return useCallback(
    (rule) => {
      const restoreAll = async () => {
        let count = 0;
        try {
          for (;;) {
            const input = { scope_id: scopeId, rule_id: rule.rule_id };
            const { restored, left } = await call(restoreSuppressedSignals, { params: { clusterId }, input });
            count += restored;
            if (left === 0 || restored === 0) break;
          }
          notify('done', t('restored', { count }));
        } catch (error) {
          notifyFailure(error);
        }
        await markStale(client, [listSuppressionRules, listSuppressedSignals, listSignals]);
      };
      askToConfirm({
        title: t('restoreTitle', { workbook: rule.workbook_name }),
        consequence: t('restoreText'),
        confirmLabel: t('restore'),
        isHarmless: true,
        onConfirm: () => void restoreAll(),
      });
    },
    [t, clusterId, scopeId, client],
  );
}
