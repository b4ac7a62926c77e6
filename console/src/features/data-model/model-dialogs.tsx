import { Group, Select, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  DATA_MODEL_LIMITS,
  FIELD_TYPES,
  type FieldType,
  KQL_TYPE_OF,
  type ModelField,
  readModelUsage,
  saveModelField,
  saveModelStream,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { STALE } from './use-data-model.ts';

export interface StreamDraft {
  readonly name: string;
  readonly description: string;
  readonly is_new: boolean;
}

export const PLAIN = /^[A-Za-z_]\w*$/;

function useStreamDraft(first: StreamDraft, onDone: () => void) {
  const { t } = useTranslation('data-model');
  const { clusterId } = useScope();
  const [draft, setDraft] = useState(first);
  const save = useCallMutation(saveModelStream, { stale: STALE, quiet: true });
  useUnsavedWork(draft !== first && !save.isSuccess);
  const submit = () => {
    const onSuccess = () => {
      notify('done', t('streamSaved', { name: draft.name }));
      onDone();
    };
    const input = { ...draft, description: draft.description.trim() };
    save.mutate({ params: { clusterId }, input }, { onSuccess });
  };
  return { draft, setDraft, save, submit };
}

/** Adds a stream, or changes the description of one. */
export function StreamDialog({
  draft: first,
  onClose,
}: {
  readonly draft: StreamDraft;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('data-model');
  const { draft, setDraft, save, submit } = useStreamDraft(first, onClose);
  return (
    <FormDialog
      title={t(first.is_new ? 'addStream' : 'editStream')}
      onClose={onClose}
      onSubmit={submit}
      submitLabel={t(first.is_new ? 'addStream' : 'save')}
      isReady={PLAIN.test(draft.name)}
      isBusy={save.isPending}
      error={save.error}
    >
      <TextInput
        label={t('name')}
        description={t('streamNameHelp')}
        required
        maxLength={64}
        disabled={!first.is_new}
        value={draft.name}
        data-autofocus
        onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
      />
      <Textarea
        label={t('description')}
        maxLength={2000}
        autosize
        minRows={2}
        value={draft.description}
        onChange={(event) => setDraft({ ...draft, description: event.currentTarget.value })}
      />
    </FormDialog>
  );
}

export type FieldDraft = Pick<
  ModelField,
  'stream' | 'name' | 'type' | 'description' | 'example' | 'aliases'
> & { readonly is_new: boolean };

export const newField = (stream: string): FieldDraft => ({
  ...{ stream, name: '', description: '', example: '', aliases: [], is_new: true },
  type: 'string',
});

function useFieldDraft(first: FieldDraft, onDone: () => void) {
  const { t } = useTranslation('data-model');
  const { clusterId } = useScope();
  const [draft, setDraft] = useState(first);
  const save = useCallMutation(saveModelField, { stale: STALE, quiet: true });
  useUnsavedWork(draft !== first && !save.isSuccess);
  const submit = () => {
    const { stream, name, type, aliases, is_new } = draft;
    const texts = { description: draft.description.trim(), example: draft.example.trim() };
    const onSuccess = () => {
      notify('done', t('fieldSaved', { name }));
      onDone();
    };
    const input = { stream, name, type, ...texts, aliases: [...aliases], is_new };
    save.mutate({ params: { clusterId }, input }, { onSuccess });
  };
  const change = (part: Partial<FieldDraft>) => setDraft((now) => ({ ...now, ...part }));
  return { draft, change, save, submit };
}

/** Adds a field to a stream, or changes one. */
export function FieldDialog({
  draft: first,
  onClose,
}: {
  readonly draft: FieldDraft;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('data-model');
  const { draft, change, save, submit } = useFieldDraft(first, onClose);
  return (
    <FormDialog
      title={t(first.is_new ? 'addFieldTo' : 'editFieldOf', { stream: first.stream })}
      onClose={onClose}
      onSubmit={submit}
      submitLabel={t(first.is_new ? 'addField' : 'save')}
      isReady={PLAIN.test(draft.name)}
      isBusy={save.isPending}
      error={save.error}
    >
      <Group gap={12} grow align="flex-start">
        <TextInput
          label={t('name')}
          description={t('fieldNameHelp')}
          required
          maxLength={100}
          disabled={!first.is_new}
          value={draft.name}
          data-autofocus
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TypeSelect value={draft.type} onChange={(type) => change({ type })} />
      </Group>
      <FieldTexts draft={draft} change={change} />
      {first.is_new ? null : <Usage name={first.name} />}
    </FormDialog>
  );
}

function FieldTexts({
  draft,
  change,
}: {
  readonly draft: FieldDraft;
  readonly change: (part: Partial<FieldDraft>) => void;
}) {
  const { t } = useTranslation('data-model');
  return (
    <>
      <MeaningInputs draft={draft} change={change} />
      <TagsInput
        label={t('aliases')}
        description={t('aliasesHelp')}
        maxTags={DATA_MODEL_LIMITS.aliases}
        value={[...draft.aliases]}
        onChange={(aliases) => change({ aliases })}
      />
    </>
  );
}

type Meaning = Pick<FieldDraft, 'description' | 'example'>;

/** What a field means, in words and by an example. */
export function MeaningInputs({
  draft,
  change,
}: {
  readonly draft: Meaning;
  readonly change: (part: Partial<Meaning>) => void;
}) {
  const { t } = useTranslation('data-model');
  return (
    <>
      <Textarea
        label={t('description')}
        maxLength={2000}
        autosize
        minRows={2}
        value={draft.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <TextInput
        label={t('example')}
        maxLength={500}
        value={draft.example}
        onChange={(event) => change({ example: event.currentTarget.value })}
      />
    </>
  );
}

export function TypeSelect({
  value,
  onChange,
}: {
  readonly value: FieldType;
  readonly onChange: (type: FieldType) => void;
}) {
  const { t } = useTranslation('data-model');
  return (
    <Select
      label={t('type')}
      description={t('typeHelp', { type: KQL_TYPE_OF[value] })}
      data={FIELD_TYPES}
      value={value}
      allowDeselect={false}
      onChange={(next) => next && onChange(next as FieldType)}
    />
  );
}

/** What names the field: a change of its type changes what these find. */
function Usage({ name }: { readonly name: string }) {
  const { t } = useTranslation('data-model');
  const { clusterId } = useScope();
  const { data } = useQuery(callQuery(readModelUsage, { name }, { params: { clusterId }, quiet: true }));
  if (!data) return null;
  return (
    <Text size="sm" c="dimmed">
      {data.length === 0
        ? t('unused')
        : t('namedBy', {
            count: data.length,
            names: data
              .slice(0, 5)
              .map((one) => one.name)
              .join(', '),
          })}
    </Text>
  );
}
