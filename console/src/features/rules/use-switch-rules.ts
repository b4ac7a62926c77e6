import {
  countRules,
  listRules,
  type RuleFilter,
  readPackRule,
  type STAGES,
  switchRules,
} from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useCallMutation } from '../../lib/use-call.ts';

type Which = { readonly rule_ids: string[] } | { readonly filter: RuleFilter };

/** Switches rules in the scope of the session and says how many. */
export function useSwitchRules() {
  const { t } = useTranslation('rules');
  const { locale } = useSettings();
  const { clusterId, scopeId } = useScope();
  const { mutate, isPending } = useCallMutation(switchRules, {
    stale: [listRules, countRules, readPackRule],
  });
  return {
    isPending,
    switchRules: (which: Which, enabled: boolean, stage?: (typeof STAGES)[number]) =>
      mutate(
        {
          params: { clusterId },
          input: { scope_id: scopeId, ...which, enabled, ...(stage ? { stage } : {}) },
        },
        {
          onSuccess: ({ switched, skipped, unproven = 0 }) => {
            const count = formatInteger(switched, locale);
            const left = [
              ...(skipped > 0 ? [t('switch.skipped', { count: formatInteger(skipped, locale) })] : []),
              ...(unproven > 0 ? [t('switch.unproven', { count: formatInteger(unproven, locale) })] : []),
            ];
            notify('done', t(enabled ? 'switch.on' : 'switch.off', { count }), left.join(' · ') || undefined);
          },
        },
      ),
  };
}
