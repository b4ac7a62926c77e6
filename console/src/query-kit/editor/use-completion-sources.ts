import { useQuery, useQueryClient } from '@tanstack/react-query';
import { knownValues, listSavedQueries } from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../lib/format-number.ts';
import { useScope } from '../../lib/session-store.ts';
import type { TimeRange } from '../../lib/time-range.ts';
import { callQuery } from '../../lib/use-call.ts';
import type { CompletionSources } from './kql-completion.ts';
import { SHIPPED_SNIPPETS } from './kql-snippets.ts';

const EVERY_MINUTE = 60_000;
const LAST_DAY: TimeRange = { from: 'now-24h', to: 'now' };

/** Values of the tenant's data in a range, and the snippets that are shipped or were saved in this scope. */
export function useCompletionSources(range: TimeRange = LAST_DAY): CompletionSources {
  const { t } = useTranslation('search');
  const { clusterId, scopeId } = useScope();
  const client = useQueryClient();
  const { data: own } = useQuery({
    ...callQuery(
      listSavedQueries,
      { scope_id: scopeId, kind: 'snippet' },
      { params: { clusterId }, quiet: true },
    ),
    staleTime: EVERY_MINUTE,
  });
  const { from, to } = range;
  return useMemo(
    () => ({
      values: async ({ field, streams }) => {
        const input = { scope_id: scopeId, field, stream: [...streams], from, to };
        const asked = callQuery(knownValues, input, { params: { clusterId }, quiet: true });
        const { values } = await client.fetchQuery({ ...asked, staleTime: EVERY_MINUTE, retry: false });
        return values;
      },
      snippets: () => [
        ...(own ?? []).map(({ name, description, text }) => ({ name, note: description, text })),
        ...SHIPPED_SNIPPETS.map(({ name, text }) => ({ name, text, note: t(`snippets.notes.${name}`) })),
      ],
      nameCount: (count) => formatCount(count),
      snippetWord: () => t('snippets.word'),
    }),
    [client, clusterId, scopeId, from, to, own, t],
  );
}
