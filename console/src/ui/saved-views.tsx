import { Button, Popover, Text, TextInput } from '@mantine/core';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { deleteSavedView, listSavedViews, type SavedView, saveView } from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../lib/session-store.ts';
import { useAddress } from '../lib/use-address.ts';
import { callQuery, useCallMutation } from '../lib/use-call.ts';
import { Answered } from './answered.tsx';
import { IconButton } from './icon-button.tsx';
import classes from './saved-views.module.css';
import { showUndo } from './undo-toast.tsx';

// The filters that the user keeps for a list. Whatever a list filters and sorts by stands in its link, so a saved
// view is that part of the link under a name; it is kept on the server, per user, list and tenant.

interface SavedViewsProps {
  /** Name of the list, e.g. `cases`. */
  readonly page: string;
  /** Parameters that are no filter, such as the opened row. */
  readonly leaveOut?: readonly string[];
  /** The list is one of the platform, not of the tenant. */
  readonly isOfPlatform?: boolean;
}

export function SavedViews(props: SavedViewsProps) {
  const { t } = useTranslation('ui');
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      width={300}
      withinPortal
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconBookmark size={14} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          {t('views.button')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={8} aria-label={t('views.title')}>
        <ViewPanel {...props} onDone={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function ViewPanel({
  page,
  leaveOut = [],
  isOfPlatform,
  onDone,
}: SavedViewsProps & { readonly onDone: () => void }) {
  const { t } = useTranslation('ui');
  const { cluster } = useSignedIn();
  const place = { page, ...(isOfPlatform || !cluster ? {} : { clusterId: cluster.clusterId }) };
  const views = useQuery(callQuery(listSavedViews, place));
  const save = useCallMutation(saveView, { stale: [listSavedViews] });
  const remove = useCallMutation(deleteSavedView, { stale: [listSavedViews] });
  const [params, changeAddress] = useAddress();
  const query = queryOf(params, leaveOut);
  const forget = (view: SavedView) =>
    remove.mutate(
      { input: { view_id: view.view_id } },
      {
        onSuccess: () =>
          showUndo(t('views.deleted', { name: view.name }), () =>
            save.mutate({ input: { ...place, name: view.name, query: view.query } }),
          ),
      },
    );
  return (
    <>
      <Answered query={views}>
        {(kept) => (
          <ViewList
            views={kept}
            query={query}
            onForget={forget}
            onApply={(view) => {
              changeAddress(() => new URLSearchParams(view.query));
              onDone();
            }}
          />
        )}
      </Answered>
      <SaveForm
        isSaving={save.isPending}
        onSave={(name) => save.mutate({ input: { ...place, name, query } }, { onSuccess: onDone })}
      />
    </>
  );
}

interface ViewListProps {
  readonly views: readonly SavedView[];
  readonly query: string;
  readonly onApply: (view: SavedView) => void;
  readonly onForget: (view: SavedView) => void;
}

function ViewList({ views, query, onApply, onForget }: ViewListProps) {
  const { t } = useTranslation('ui');
  if (views.length === 0) {
    return (
      <Text size="sm" c="dimmed" px={4} py={2}>
        {t('views.none')}
      </Text>
    );
  }
  return (
    <ul className={classes.list} aria-label={t('views.title')}>
      {views.map((view) => (
        <li key={view.view_id} className={classes.view}>
          <button
            type="button"
            className={classes.apply}
            aria-current={view.query === query ? 'true' : undefined}
            onClick={() => onApply(view)}
          >
            {view.name}
          </button>
          <IconButton label={t('views.delete', { name: view.name })} size={24} onClick={() => onForget(view)}>
            <IconTrash size={14} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

function SaveForm({
  isSaving,
  onSave,
}: {
  readonly isSaving: boolean;
  readonly onSave: (name: string) => void;
}) {
  const { t } = useTranslation('ui');
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') onSave(name.trim());
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        className={classes.name}
        aria-label={t('views.name')}
        placeholder={t('views.name')}
        value={name}
        maxLength={80}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={isSaving} disabled={name.trim() === ''}>
        {t('views.save')}
      </Button>
    </form>
  );
}

/** The filters of a link, in one order whatever the order in the address. */
function queryOf(params: URLSearchParams, leaveOut: readonly string[]): string {
  const kept = [...params].filter(([name]) => !leaveOut.includes(name));
  const query = new URLSearchParams(kept);
  query.sort();
  return query.toString();
}
