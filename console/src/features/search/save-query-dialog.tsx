import { Autocomplete, Button, Checkbox, Group, Modal, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  listSavedQueries,
  readSavedQuery,
  type SavedKind,
  type SavedQuery,
  saveQuery,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import type { TimeRange } from '../../lib/time-range.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { QueryTextarea } from '../../query-kit/library/query-textarea.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { DialogForm } from '../../ui/form-dialog.tsx';

/** What a dialog saves: a new text, or one that stands saved already. */
export interface SaveTarget {
  readonly kind: SavedKind;
  readonly text: string;
  /** The one that is changed; null for a new one. */
  readonly entry: SavedQuery | null;
}

interface SaveQueryDialogProps {
  /** Null: closed. */
  readonly target: SaveTarget | null;
  /** Range that is chosen now, which a query may open with. */
  readonly range: TimeRange;
  readonly onClose: () => void;
  readonly onSaved: (entry: SavedQuery) => void;
}

/** Name, note, folder and tags of a query or snippet, and whom it is for. */
export function SaveQueryDialog(props: SaveQueryDialogProps) {
  const { t } = useTranslation('search');
  const { target, onClose } = props;
  return (
    <Modal
      opened={target !== null}
      onClose={onClose}
      title={target && t(`save.title.${target.kind}`)}
      size={560}
      closeButtonProps={{ 'aria-label': t('ui:close') }}
    >
      {target && <SaveForm {...props} target={target} />}
    </Modal>
  );
}

interface Fields {
  readonly name: string;
  readonly description: string;
  readonly folder: string;
  readonly tags: readonly string[];
  readonly shared: boolean;
  readonly hasRange: boolean;
  readonly text: string;
}

function startOf({ entry, text }: SaveTarget): Fields {
  return {
    name: entry?.name ?? '',
    description: entry?.description ?? '',
    folder: entry?.folder ?? '',
    tags: entry?.tags ?? [],
    shared: entry?.shared ?? false,
    hasRange: entry?.range != null,
    text,
  };
}

type FormProps = SaveQueryDialogProps & { readonly target: SaveTarget };

/** Saving, as this one or as a new one. */
function useSave({ target, range, onClose, onSaved }: FormProps, fields: Fields) {
  const { t } = useTranslation('search');
  const { clusterId, scopeId } = useScope();
  const mutation = useCallMutation(saveQuery, { stale: [listSavedQueries, readSavedQuery], quiet: true });
  const { entry, kind } = target;
  const save = (isNew: boolean) => {
    const { hasRange, tags, ...rest } = fields;
    const input = {
      ...rest,
      ...(entry && !isNew ? { id: entry.id, version: entry.version } : {}),
      scope_id: scopeId,
      kind,
      tags: [...tags],
      range: hasRange ? (isNew ? range : (entry?.range ?? range)) : null,
    };
    const onSuccess = (saved: SavedQuery) => {
      notify('done', t(`save.done.${kind}`), saved.name);
      onSaved(saved);
      onClose();
    };
    mutation.mutate({ params: { clusterId }, input }, { onSuccess });
  };
  return { save, mutation };
}

function SaveForm(props: FormProps) {
  const { t } = useTranslation('search');
  const { target, onClose } = props;
  const { kind } = target;
  const [fields, setFields] = useState(() => startOf(target));
  const set = (change: Partial<Fields>) => setFields((now) => ({ ...now, ...change }));
  const { save, mutation } = useSave(props, fields);
  const isReady = fields.name.trim() !== '' && fields.text.trim() !== '';
  const isEdit = target.entry !== null;
  const asNew = (
    <Button variant="default" disabled={!isReady} onClick={() => save(true)}>
      {t('save.asNew')}
    </Button>
  );
  return (
    <DialogForm
      submitLabel={t('save.save')}
      isReady={isReady}
      isBusy={mutation.isPending}
      onCancel={onClose}
      onSubmit={() => save(!isEdit)}
      actions={isEdit ? asNew : null}
    >
      <TextInput
        label={t('save.name')}
        value={fields.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        required
        maxLength={120}
        data-autofocus
      />
      <Textarea
        label={t('save.description')}
        value={fields.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
        maxLength={2000}
        autosize
        minRows={2}
      />
      <Place fields={fields} set={set} kind={kind} />
      {kind === 'snippet' || isEdit ? <QueryText fields={fields} set={set} kind={kind} /> : null}
      <Whom fields={fields} set={set} kind={kind} />
      {mutation.error && <ErrorPanel error={mutation.error} />}
    </DialogForm>
  );
}

interface PartProps {
  readonly fields: Fields;
  readonly set: (change: Partial<Fields>) => void;
  readonly kind: SavedKind;
}

function Place({ fields, set, kind }: PartProps) {
  const { t } = useTranslation('search');
  const { clusterId, scopeId } = useScope();
  const { data = [] } = useQuery(
    callQuery(listSavedQueries, { scope_id: scopeId, kind }, { params: { clusterId }, quiet: true }),
  );
  const folders = [...new Set(data.map(({ folder }) => folder))].filter((folder) => folder !== '');
  const tags = [...new Set(data.flatMap((each) => each.tags))];
  return (
    <Group grow align="flex-start">
      <Autocomplete
        size="xs"
        label={t('save.folder')}
        placeholder={t('save.folderHint')}
        data={folders}
        value={fields.folder}
        onChange={(folder) => set({ folder })}
        maxLength={200}
      />
      <TagsInput
        size="xs"
        label={t('save.tags')}
        data={tags}
        value={[...fields.tags]}
        onChange={(next) => set({ tags: next })}
        maxTags={20}
        clearable={false}
      />
    </Group>
  );
}

function QueryText({ fields, set, kind }: PartProps) {
  const { t } = useTranslation('search');
  return (
    <QueryTextarea
      label={t('save.text')}
      description={kind === 'snippet' ? t('save.places', { place: '$' + '{name}' }) : undefined}
      value={fields.text}
      onChange={(text) => set({ text })}
      minRows={3}
      maxRows={12}
    />
  );
}

function Whom({ fields, set, kind }: PartProps) {
  const { t } = useTranslation('search');
  return (
    <>
      {kind === 'query' && (
        <Checkbox
          label={t('save.range')}
          checked={fields.hasRange}
          onChange={(event) => set({ hasRange: event.currentTarget.checked })}
        />
      )}
      <Checkbox
        label={t('save.shared')}
        description={t('save.sharedHelp')}
        checked={fields.shared}
        onChange={(event) => set({ shared: event.currentTarget.checked })}
      />
    </>
  );
}
