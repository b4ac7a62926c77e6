import { Badge } from '@mantine/core';
import { IconLink, IconPencil, IconPlayerPlay, IconTrash, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { listSavedQueries, type SavedKind, type SavedQuery } from '@tyrian/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import styles from '../../query-kit/library/library.module.css';
import { PickList } from '../../query-kit/library/pick-list.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { useRemoveSaved } from './use-saved-query.ts';

interface SavedListProps {
  readonly kind: SavedKind;
  readonly onTake: (entry: SavedQuery) => void;
  /** Absent for snippets: a piece of a query does not run. */
  readonly onRun?: (entry: SavedQuery) => void;
  /** Opens the form with name, folder, tags and whom it is for. */
  readonly onEdit: (entry: SavedQuery) => void;
  readonly extra?: readonly SavedQuery[];
}

/** Saved queries or snippets of this scope, by folder; a search looks at names, tags, notes and texts. */
export function SavedList({ kind, onTake, onRun, onEdit, extra }: SavedListProps) {
  const { t } = useTranslation('search');
  const { clusterId, scopeId } = useScope();
  const [search, setSearch] = useState('');
  const remove = useRemoveSaved();
  const saved = useQuery(
    callQuery(listSavedQueries, { scope_id: scopeId, kind }, { params: { clusterId }, quiet: true }),
  );
  const items = useMemo(
    () => [...(saved.data ?? []), ...(extra ?? [])].filter((each) => matches(each, search)),
    [saved.data, extra, search],
  );
  const why = saved.isPending ? 'loading' : saved.isError ? 'failed' : search === '' ? kind : 'noMatch';
  return (
    <PickList
      items={items}
      keyOf={({ id }) => id}
      label={t(`library.${kind}`)}
      groupOf={({ folder }) => folder}
      filter={{ value: search, label: t('library.filter'), onChange: setSearch }}
      empty={t(`library.empty.${why}`)}
      onTake={onTake}
      onRun={onRun}
      onRemove={(entry) => entry.editable && remove(entry)}
      actions={(entry) => (
        <Actions entry={entry} onRun={onRun} onEdit={onEdit} onRemove={() => remove(entry)} />
      )}
    >
      {(entry) => <Entry entry={entry} />}
    </PickList>
  );
}

const matches = ({ name, folder, description, tags, text }: SavedQuery, search: string): boolean => {
  const looked = [name, folder, description, ...tags, text].join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => looked.includes(word));
};

function Entry({ entry }: { readonly entry: SavedQuery }) {
  const { t } = useTranslation('search');
  return (
    <>
      <span className={styles.name}>
        {entry.name}
        {entry.shared && <IconUsers size={13} aria-label={t('library.shared', { name: entry.owner_name })} />}
        {entry.tags.map((tag) => (
          <Badge key={tag} size="xs" variant="default" tt="none">
            {tag}
          </Badge>
        ))}
      </span>
      {entry.description !== '' && <span className={styles.note}>{entry.description}</span>}
      <code className={styles.query}>{entry.text}</code>
    </>
  );
}

interface ActionsProps {
  readonly entry: SavedQuery;
  readonly onRun?: (entry: SavedQuery) => void;
  readonly onEdit: (entry: SavedQuery) => void;
  readonly onRemove: () => void;
}

function Actions({ entry, onRun, onEdit, onRemove }: ActionsProps) {
  const { t } = useTranslation('search');
  const [address = ''] = window.location.href.split('?');
  return (
    <>
      {onRun && (
        <IconButton label={t('library.run')} size={24} onClick={() => onRun(entry)}>
          <IconPlayerPlay size={14} />
        </IconButton>
      )}
      {entry.kind === 'query' && (
        <IconButton
          label={t('library.copyLink')}
          size={24}
          onClick={() => void copyText(`${address}?saved=${entry.id}`)}
        >
          <IconLink size={14} />
        </IconButton>
      )}
      {entry.editable && (
        <>
          <IconButton label={t('library.edit')} size={24} onClick={() => onEdit(entry)}>
            <IconPencil size={14} />
          </IconButton>
          <IconButton label={t('library.remove')} size={24} onClick={onRemove}>
            <IconTrash size={14} />
          </IconButton>
        </>
      )}
    </>
  );
}
