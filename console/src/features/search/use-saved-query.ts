import { useQuery } from '@tanstack/react-query';
import {
  deleteSavedQuery,
  listSavedQueries,
  readSavedQuery,
  restoreSavedQuery,
  type SavedQuery,
} from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { showUndo } from '../../ui/undo-toast.tsx';

/** A saved query by its id; nothing for an empty one. */
export function useSavedQuery(id: string) {
  const { clusterId, scopeId } = useScope();
  return useQuery({
    ...callQuery(
      readSavedQuery,
      { scope_id: scopeId, id: id || 'none' },
      { params: { clusterId }, quiet: true },
    ),
    enabled: id !== '',
    retry: false,
  });
}

/** Deletes a saved query or snippet, and offers to undo it. */
export function useRemoveSaved(): (entry: SavedQuery) => void {
  const { t } = useTranslation('search');
  const { clusterId, scopeId } = useScope();
  const stale = [listSavedQueries, readSavedQuery];
  const remove = useCallMutation(deleteSavedQuery, { stale });
  const restore = useCallMutation(restoreSavedQuery, { stale });
  return ({ id, name }) => {
    const asked = { params: { clusterId }, input: { scope_id: scopeId, id } };
    remove.mutate(asked, {
      onSuccess: () => showUndo(t('library.removed', { name }), () => restore.mutate(asked)),
    });
  };
}
