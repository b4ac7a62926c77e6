import {
  type ContentUpdate,
  countRules,
  decideContentUpdates,
  listContentUpdates,
  listRules,
  listWorkbooks,
  readContentUpdate,
  readPackRule,
  workbookProperties,
} from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { notify } from '../../lib/notify.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useCallMutation } from '../../lib/use-call.ts';

export const STALE = [
  ...[listContentUpdates, readContentUpdate],
  ...[listWorkbooks, workbookProperties],
  ...[listRules, countRules, readPackRule],
];

/** Updates by id, or all that are open. */
export type Decided = readonly string[] | { readonly kind: ContentUpdate['kind'] | undefined };

/** Takes or declines updates, and tells how many and what could not be. */
export function useDecide() {
  const { t } = useTranslation('content');
  const { locale } = useSettings();
  const { clusterId, scopeId } = useScope();
  const { mutate, isPending } = useCallMutation(decideContentUpdates, { stale: STALE });
  const decide = (which: Decided, take: boolean, onDone?: () => void) => {
    const chosen = 'kind' in which ? (which.kind ? { kind: which.kind } : {}) : { update_ids: [...which] };
    mutate(
      { params: { clusterId }, input: { scope_id: scopeId, take, ...chosen } },
      {
        onSuccess: ({ done, failed }) => {
          const count = { count: done, number: formatInteger(done, locale) };
          if (done > 0) notify('done', t(take ? 'taken' : 'declined', count));
          const [first] = failed;
          if (first) notify('failed', t('notDecided', { count: failed.length }), serverText(first));
          onDone?.();
        },
      },
    );
  };
  return { decide, isPending };
}
