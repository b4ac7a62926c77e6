import { Badge, Button } from '@mantine/core';
import { IconHistory, IconPencil, IconPlus, IconTrash, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { deleteFunction, type KqlFunction, listFunctions } from '@tyrian/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import styles from '../../query-kit/library/library.module.css';
import { PickList } from '../../query-kit/library/pick-list.tsx';
import { askToConfirm } from '../../ui/confirm-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { FunctionDialog, type FunctionTarget } from './function-dialog.tsx';
import { FunctionVersions } from './function-versions.tsx';

interface FunctionsListProps {
  /** The text of the editor, which a new function starts from. */
  readonly text: string;
  /** Puts a call of the function in at the cursor. */
  readonly onInsert: (template: string) => void;
}

/** The functions of the tenant: to call, to change, to make from the text of the editor. */
export function FunctionsList({ text, onInsert }: FunctionsListProps) {
  const { t } = useTranslation('search');
  const { clusterId } = useScope();
  const { tags } = useSignedIn();
  const mayWrite = tags.includes('engineer') || tags.includes('content-manager');
  const [search, setSearch] = useState('');
  const [target, setTarget] = useState<FunctionTarget | null>(null);
  const [versionsOf, setVersionsOf] = useState<KqlFunction | null>(null);
  const list = useQuery(callQuery(listFunctions, {}, { params: { clusterId }, quiet: true }));
  const remove = useRemoveFunction(clusterId);
  const items = useMemo(() => (list.data ?? []).filter((each) => matches(each, search)), [list.data, search]);
  const why = list.isPending ? 'loading' : list.isError ? 'failed' : search === '' ? 'function' : 'noMatch';
  return (
    <>
      <PickList
        items={items}
        keyOf={({ name }) => name}
        label={t('library.panels.functions')}
        filter={{ value: search, label: t('library.filter'), onChange: setSearch }}
        empty={t(`library.empty.${why}`)}
        onTake={(each) => onInsert(callOf(each))}
        onRemove={(each) => each.editable && remove(each)}
        actions={(each) => (
          <Acts
            entry={each}
            onVersions={() => setVersionsOf(each)}
            onEdit={() => setTarget({ body: each.body, entry: each })}
            onRemove={() => remove(each)}
          />
        )}
      >
        {(each) => <Entry entry={each} />}
      </PickList>
      {mayWrite && (
        <Button
          variant="default"
          mx={12}
          mb={12}
          leftSection={<IconPlus size={14} />}
          onClick={() => setTarget({ body: text, entry: null })}
        >
          {t('functions.add')}
        </Button>
      )}
      <FunctionDialog target={target} onClose={() => setTarget(null)} />
      <FunctionVersions
        entry={versionsOf}
        onClose={() => setVersionsOf(null)}
        onRestore={(entry, body, parameters) => {
          setVersionsOf(null);
          setTarget({ body, entry: { ...entry, body, parameters } });
        }}
      />
    </>
  );
}

interface ActsProps {
  readonly entry: KqlFunction;
  readonly onVersions: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function Acts({ entry, onVersions, onEdit, onRemove }: ActsProps) {
  const { t } = useTranslation('search');
  return (
    <>
      <IconButton label={t('functions.versions')} size={24} onClick={onVersions}>
        <IconHistory size={14} />
      </IconButton>
      {entry.editable && (
        <>
          <IconButton label={t('library.edit')} size={24} onClick={onEdit}>
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

function Entry({ entry }: { readonly entry: KqlFunction }) {
  const { t } = useTranslation('search');
  return (
    <>
      <span className={styles.name}>
        {entry.name}
        {entry.shared && <IconUsers size={13} aria-label={t('functions.shared')} />}
        <Badge size="xs" variant="default" tt="none">
          {t('functions.version', { version: entry.version })}
        </Badge>
      </span>
      {entry.description !== '' && <span className={styles.note}>{entry.description}</span>}
      <code className={styles.query}>{`(${entry.parameters}) {\n${entry.body}\n}`}</code>
    </>
  );
}

const matches = ({ name, description, body }: KqlFunction, search: string): boolean => {
  const looked = `${name}\n${description}\n${body}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => looked.includes(word));
};

/** A call with a place for each parameter. */
function callOf({ name, parameters }: KqlFunction): string {
  const names = parameters
    .split(/,(?![^(]*\))/)
    .map((one) => /^\s*(\w+)/.exec(one)?.[1] ?? '')
    .filter((one) => one !== '');
  return `${name}(${names.map((one) => `\${${one}}`).join(', ')})`;
}

/** Deletes a function once that is confirmed; one that another names stays, and why is said. */
function useRemoveFunction(clusterId: string): (entry: KqlFunction) => void {
  const { t } = useTranslation('search');
  const mutation = useCallMutation(deleteFunction, { stale: [listFunctions], quiet: true });
  const remove = (name: string) =>
    mutation.mutate(
      { params: { clusterId }, input: { name } },
      {
        onSuccess: () => notify('done', t('library.removed', { name })),
        onError: (error) => notify('failed', t('functions.kept', { name }), serverText(error)),
      },
    );
  return ({ name, version }) =>
    askToConfirm({
      title: t('functions.removeTitle', { name }),
      consequence: t('functions.removeText', { count: version }),
      confirmLabel: t('functions.remove'),
      onConfirm: () => remove(name),
    });
}
