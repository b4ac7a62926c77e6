import { Alert, Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import type { Eventstore, UploadMode } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverText } from '../../lib/server-text.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { type ColumnChange, ColumnChoices } from './column-choices.tsx';
import { DropZone } from './drop-zone.tsx';
import { FirstRows } from './first-rows.tsx';
import { useUpload } from './use-upload.ts';

export type UploadTarget =
  | { readonly mode: 'create' }
  | { readonly mode: Exclude<UploadMode, 'create'>; readonly store: Eventstore };

/** By the place of the column in the file: two may have the same name there. */
type Chosen = Readonly<Record<number, ColumnChange>>;

interface UploadTableDialogProps {
  readonly target: UploadTarget;
  readonly onClose: () => void;
}

const nameOf = (file: string): string =>
  file
    .replace(/\.[^.]+$/, '')
    .replaceAll(/\W+/g, '_')
    .replaceAll(/^[_\d]+|_+$/g, '')
    .slice(0, 64);

/** What is chosen about a file before it is sent. */
function useTableDraft(target: UploadTarget, onClose: () => void) {
  const upload = useUpload(target, onClose);
  const { file, preview, isReading, take, send } = upload;
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [chosen, setChosen] = useState<Chosen>({});
  useUnsavedWork(file !== null);
  const isNew = target.mode === 'create';
  const columns = (preview?.columns ?? []).map((column, at) => ({ ...column, ...chosen[at] }));
  return {
    ...upload,
    ...{ name, setName, description, setDescription, columns, isNew },
    choose: (next: File | null) => {
      if (!next) return;
      setChosen({});
      if (name === '') setName(nameOf(next.name));
      void take(next);
    },
    change: (at: number, part: ColumnChange) =>
      setChosen((now) => ({ ...now, [at]: { ...now[at], ...part } })),
    isReady: preview !== null && !isReading && (!isNew || /^[A-Za-z_]\w*$/.test(name)),
    submit: () => {
      const asked = columns.map(({ name: own, type }) => ({ name: own, type }));
      void send(isNew ? { name, description, columns: asked } : {});
    },
  };
}

/** A file becomes a table: it is chosen, looked into, and its columns get names and types before anything is stored. */
export function UploadTableDialog({ target, onClose }: UploadTableDialogProps) {
  const { t } = useTranslation('eventstores');
  const draft = useTableDraft(target, onClose);
  const title =
    target.mode === 'create' ? t('upload.title') : t(`upload.${target.mode}`, { name: target.store.name });
  return (
    <Dialog title={title} onClose={onClose} size="min(960px, 96vw)">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (draft.isReady) draft.submit();
        }}
      >
        <Stack gap={14}>
          {draft.error && (
            <Alert color="red" variant="light" role="alert">
              {serverText(draft.error)}
            </Alert>
          )}
          <DropZone file={draft.file} onFile={draft.choose} />
          {draft.isReading && <Reading />}
          <Preview draft={draft} />
          <DialogActions onCancel={onClose}>
            <Button type="submit" disabled={!draft.isReady} loading={draft.isSending}>
              {t(`upload.send.${target.mode}`)}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}

function Reading() {
  const { t } = useTranslation('eventstores');
  return (
    <Group gap={8} role="status">
      <Loader size="xs" />
      <Text size="sm">{t('upload.reading')}</Text>
    </Group>
  );
}

/** Name, columns and first rows of the file, once it was looked into. */
function Preview({ draft }: { readonly draft: ReturnType<typeof useTableDraft> }) {
  const { t } = useTranslation('eventstores');
  const { preview, columns, isNew } = draft;
  if (!preview) return null;
  return (
    <>
      {isNew && (
        <NameFields
          name={draft.name}
          onName={draft.setName}
          description={draft.description}
          onDescription={draft.setDescription}
        />
      )}
      <ColumnChoices preview={preview} columns={columns} isFixed={!isNew} onChange={draft.change} />
      <FirstRows
        label={t('firstRows')}
        columns={columns.map(({ name }) => name)}
        rows={preview.samples.slice(0, 8)}
      />
    </>
  );
}

function NameFields(props: {
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly description: string;
  readonly onDescription: (description: string) => void;
}) {
  const { t } = useTranslation('eventstores');
  return (
    <Group gap={12} grow align="flex-start">
      <TextInput
        label={t('columns.name')}
        description={t('upload.nameHelp')}
        required
        maxLength={64}
        value={props.name}
        onChange={(event) => props.onName(event.currentTarget.value)}
        error={props.name !== '' && !/^[A-Za-z_]\w*$/.test(props.name) ? t('upload.nameLetters') : null}
      />
      <TextInput
        label={t('description')}
        description={t('upload.descriptionHelp')}
        maxLength={2000}
        value={props.description}
        onChange={(event) => props.onDescription(event.currentTarget.value)}
      />
    </Group>
  );
}
