import {
  Button,
  FileButton,
  Group,
  NumberInput,
  Select,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import {
  ENRICHMENT_FORMATS,
  ENRICHMENT_LIMITS,
  type EnrichmentFormat,
  type EnrichmentTable,
  enrichmentNameSchema,
  LOOKUP_COLUMNS,
  listEnrichment,
  readEnrichment,
  saveEnrichment,
  type UploadedKind,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { discardUnsavedWork, useUnsavedWork } from '../../lib/unsaved-work.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { CallProblem } from '../../ui/form-problem.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import classes from './enrichment.module.css';
import { partsOf, useEnrichmentPaths } from './enrichment-words.ts';
import { UploadPreview } from './upload-preview.tsx';

/** What is filled in about an upload. */
export interface UploadDraft {
  readonly name: string;
  readonly enabled: boolean;
  readonly fields: readonly string[];
  readonly format: EnrichmentFormat;
  readonly keyColumn: string;
  readonly confidence: number;
  readonly expires: number | null;
  readonly content: string;
  readonly mode: 'replace' | 'append';
}

const draftOf = (table: EnrichmentTable | undefined): UploadDraft => ({
  name: table?.name ?? '',
  enabled: table?.enabled ?? true,
  fields: table?.fields ?? [],
  format: table?.format ?? 'csv',
  keyColumn: table?.key_column ?? '',
  confidence: table?.confidence ?? 50,
  expires: table?.expires ?? null,
  content: '',
  mode: 'replace',
});

interface UploadFormProps {
  readonly kind: UploadedKind;
  /** Absent for a new one. */
  readonly table: EnrichmentTable | undefined;
}

function useUpload({ kind, table }: UploadFormProps) {
  const { t } = useTranslation('enrichment');
  const { clusterId, scopeId } = useScope();
  const navigate = useNavigate();
  const paths = useEnrichmentPaths();
  const [first, setFirst] = useState(() => draftOf(table));
  // What is changed is based on the table as it was opened: another's change is told, not overwritten.
  const [base, setBase] = useState(table?.revision ?? 0);
  const [draft, setDraft] = useState(first);
  const save = useCallMutation(saveEnrichment, { stale: [listEnrichment, readEnrichment], quiet: true });
  useUnsavedWork(draft !== first);
  const submit = () => {
    const { name, enabled, fields, format, keyColumn, confidence, expires, content, mode } = draft;
    const input = {
      ...{ scope_id: scopeId, kind, name, enabled, format, confidence, expires, mode },
      ...(table ? { table_id: table.table_id, revision: base } : {}),
      fields: [...fields],
      key_column: keyColumn,
      content: content === '' ? null : partsOf(content),
    };
    const onSuccess = ({ table_id, revision }: { readonly table_id: string; readonly revision: number }) => {
      const kept = { ...draft, content: '' };
      setFirst(kept);
      setDraft(kept);
      setBase(revision);
      notify('done', t('saved'));
      if (table) return;
      discardUnsavedWork();
      void navigate(paths.table(kind, table_id), { replace: true });
    };
    save.mutate({ params: { clusterId }, input }, { onSuccess });
  };
  const isNamed = enrichmentNameSchema.safeParse(draft.name).success;
  return {
    draft,
    change: (part: Partial<UploadDraft>) => setDraft((now) => ({ ...now, ...part })),
    isChanged: draft !== first,
    isNamed,
    isReady: isNamed && (table !== undefined || draft.content !== ''),
    submit,
    save,
  };
}

/** What a table is called, what it is looked up by, and its content as text or from a file, with a preview. */
export function UploadForm(props: UploadFormProps) {
  const { kind, table } = props;
  const { t } = useTranslation('enrichment');
  const { draft, change, isChanged, isNamed, isReady, submit, save } = useUpload(props);
  const hasFields = kind === 'assets' || kind === 'identities';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) submit();
      }}
    >
      <CallProblem error={save.error} />
      <SettingsSection title={t('about')} help={t(`help.${kind}`)}>
        <TextInput
          label={t('columns.name')}
          description={t('nameHelp')}
          required
          value={draft.name}
          error={draft.name !== '' && !isNamed ? t('nameHelp') : null}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Switch
          label={t('isOn')}
          description={t('newEventsOnly')}
          checked={draft.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
        {hasFields && (
          <TagsInput
            label={t('columns.fields')}
            description={t('fieldsHelp', { columns: LOOKUP_COLUMNS[kind].join(', ') })}
            value={[...draft.fields]}
            onChange={(fields) => change({ fields })}
          />
        )}
      </SettingsSection>
      <ContentSection kind={kind} isNew={table === undefined} draft={draft} change={change} />
      <Group justify="flex-end" mt={12}>
        <Button type="submit" disabled={!isReady || !isChanged} loading={save.isPending}>
          {t(table ? 'save' : 'create')}
        </Button>
      </Group>
    </form>
  );
}

interface ContentSectionProps {
  readonly kind: UploadedKind;
  readonly isNew: boolean;
  readonly draft: UploadDraft;
  readonly change: (part: Partial<UploadDraft>) => void;
}

function ContentSection({ kind, isNew, draft, change }: ContentSectionProps) {
  const { t } = useTranslation('enrichment');
  const isList = kind === 'indicators';
  return (
    <SettingsSection title={t('content')} help={t(`contentHelp.${kind}`)}>
      <Group gap={12} align="flex-end">
        {isList && <ListFields draft={draft} change={change} isKept={!isNew && draft.content === ''} />}
        {(kind === 'assets' || kind === 'identities') && (
          <TextInput
            label={t('keyColumn')}
            placeholder={t('firstColumn')}
            value={draft.keyColumn}
            onChange={(event) => change({ keyColumn: event.currentTarget.value })}
          />
        )}
        {!isNew && (
          <Select
            label={t('mode')}
            data={(['replace', 'append'] as const).map((value) => ({ value, label: t(`modes.${value}`) }))}
            value={draft.mode}
            allowDeselect={false}
            w={220}
            onChange={(mode) => change({ mode: mode === 'append' ? 'append' : 'replace' })}
          />
        )}
      </Group>
      <FileField onText={(content, format) => change({ content, ...(isList && format ? { format } : {}) })} />
      <Textarea
        className={classes.text}
        label={t('contentText')}
        description={isNew ? undefined : t('contentKept')}
        placeholder={t(`example.${kind}`)}
        autosize
        minRows={5}
        maxRows={14}
        value={draft.content}
        onChange={(event) => change({ content: event.currentTarget.value })}
      />
      <UploadPreview kind={kind} draft={draft} />
    </SettingsSection>
  );
}

/** How a list is read. While its entries are kept there is nothing to read. */
function ListFields(props: Pick<ContentSectionProps, 'draft' | 'change'> & { readonly isKept: boolean }) {
  const { draft, change, isKept } = props;
  const { t } = useTranslation('enrichment');
  return (
    <>
      <Select
        label={t('format')}
        data={ENRICHMENT_FORMATS.map((value) => ({ value, label: t(`formats.${value}`) }))}
        value={draft.format}
        allowDeselect={false}
        w={180}
        disabled={isKept}
        onChange={(format) => change({ format: (format ?? 'csv') as EnrichmentFormat })}
      />
      <NumberInput
        label={t('confidence')}
        min={0}
        max={100}
        w={140}
        disabled={isKept}
        value={draft.confidence}
        onChange={(value) => change({ confidence: Number(value) || 0 })}
      />
      <ExpiryField value={draft.expires} isDisabled={isKept} onChange={(expires) => change({ expires })} />
    </>
  );
}

const MOST_LENGTH = ENRICHMENT_LIMITS.parts * ENRICHMENT_LIMITS.partLength;

function FileField({ onText }: { readonly onText: (text: string, format: EnrichmentFormat | null) => void }) {
  const { t } = useTranslation('enrichment');
  const [name, setName] = useState('');
  const read = async (file: File | null) => {
    if (!file) return;
    const text = await file.text();
    if (text.length > MOST_LENGTH) {
      notify('failed', t('fileTooLarge', { most: MOST_LENGTH / 1_000_000 }));
      return;
    }
    setName(file.name);
    const format = /\.json$|\.stix$/i.test(file.name) ? 'stix' : /\.csv$/i.test(file.name) ? 'csv' : null;
    onText(text, format ?? (/\.txt$/i.test(file.name) ? 'lines' : null));
  };
  return (
    <Group gap={8}>
      <FileButton accept=".csv,.txt,.json,.stix" onChange={(file) => void read(file)}>
        {(props) => (
          <Button {...props} variant="default">
            {t('chooseFile')}
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed">
        {name === '' ? t('orPaste') : name}
      </Text>
    </Group>
  );
}

const DAY_MS = 86_400_000;
const DAYS = [7, 30, 90, 365];

/** From when on entries without an expiry of their own do not match any more. */
function ExpiryField(props: {
  readonly value: number | null;
  readonly isDisabled: boolean;
  readonly onChange: (value: number | null) => void;
}) {
  const { t } = useTranslation('enrichment');
  const [start] = useState(Date.now);
  const choices = DAYS.map((days) => ({
    value: String(start + days * DAY_MS),
    label: t('inDays', { days }),
  }));
  const { value } = props;
  const isOther = value !== null && !choices.some((one) => one.value === String(value));
  const other = isOther ? [{ value: String(value), label: new Date(value).toISOString().slice(0, 10) }] : [];
  return (
    <Select
      label={t('expires')}
      data={[{ value: 'never', label: t('never') }, ...other, ...choices]}
      value={value === null ? 'never' : String(value)}
      allowDeselect={false}
      w={180}
      disabled={props.isDisabled}
      onChange={(next) => props.onChange(next === null || next === 'never' ? null : Number(next))}
    />
  );
}
