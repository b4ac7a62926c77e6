import { Button, Checkbox, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import {
  EXPORT_FIELDS,
  type ExportedList,
  exportList,
  exportPlatformList,
  type InputOf,
  PLATFORM_EXPORT_FIELDS,
  type PlatformList,
} from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CallError, callForFile } from '../lib/call.ts';
import { resolveZone } from '../lib/format-time.ts';
import { notify } from '../lib/notify.ts';
import { saveFile } from '../lib/save-file.ts';
import { useScope } from '../lib/session-store.ts';
import { useSettings } from '../lib/settings.ts';
import { Dialog } from './dialog.tsx';
import classes from './export-dialog.module.css';
import { CallProblem } from './form-problem.tsx';

interface Selection {
  /** What the call of the list takes: filters, range, order. */
  readonly selection: Readonly<Record<string, unknown>>;
}

/** A list of the scope, or one of administration: then also whose it is. */
export type ListExport = Selection &
  (
    | { readonly entity: ExportedList }
    | { readonly entity: PlatformList; readonly orgId?: string; readonly clusterId?: string }
  );

type Format = NonNullable<InputOf<typeof exportList>['format']>;
type FileRequest = Pick<InputOf<typeof exportList>, 'file_name' | 'format' | 'fields' | 'timezone'>;

const ALL_FIELDS: Readonly<Record<ListExport['entity'], readonly string[]>> = {
  ...EXPORT_FIELDS,
  ...PLATFORM_EXPORT_FIELDS,
};

function isOfPlatform(exported: ListExport): exported is Extract<ListExport, { entity: PlatformList }> {
  return exported.entity in PLATFORM_EXPORT_FIELDS;
}

/** The file, by the call that the list belongs to. */
async function fetchFile(exported: ListExport, request: FileRequest, scope: ReturnType<typeof useScope>) {
  const selection = { ...exported.selection };
  if (isOfPlatform(exported)) {
    return callForFile(exportPlatformList, { input: { ...exported, ...request, selection } });
  }
  const { clusterId, scopeId } = scope;
  const input = { ...request, entity: exported.entity, selection, scope_id: scopeId };
  return callForFile(exportList, { params: { clusterId }, input });
}

interface ExportDialogProps {
  readonly exported: ListExport;
  readonly onClose: () => void;
}

/** Name, format and fields of a file with the whole list as it is filtered. */
export function ExportDialog({ exported, onClose }: ExportDialogProps) {
  const { t } = useTranslation('ui');
  const all = ALL_FIELDS[exported.entity];
  const [name, setName] = useState(`${exported.entity}-${new Date().toISOString().slice(0, 10)}`);
  const [format, setFormat] = useState<Format>('csv');
  const [fields, setFields] = useState<readonly string[]>(all);
  const zone = resolveZone(useSettings().timeZone);
  const request = { file_name: name, format, timezone: zone, fields: [...fields] };
  const take = useDownload(exported, request, onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    take.mutate();
  };
  return (
    <Dialog onClose={onClose} title={t('export.title')} size={520}>
      <Stack component="form" gap="sm" onSubmit={submit}>
        <CallProblem error={take.error} />
        <Group gap={8} align="end" wrap="nowrap">
          <TextInput
            className={classes.name}
            label={t('export.name')}
            value={name}
            maxLength={120}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <FormatChoice format={format} onChange={setFormat} />
        </Group>
        <FieldChoice all={all} fields={fields} onChange={setFields} />
        <Text size="xs" c="dimmed">
          {t('export.help', { zone })}
        </Text>
        <Group justify="flex-end">
          <Button type="submit" loading={take.isPending} disabled={name.trim() === '' || fields.length === 0}>
            {t('export.submit')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Brings the file, and keeps it under its name. */
function useDownload(exported: ListExport, request: FileRequest, onDone: () => void) {
  const { t } = useTranslation('ui');
  const scope = useScope();
  const name = `${request.file_name}.${request.format}`;
  return useMutation<void, CallError>({
    mutationFn: async () => saveFile((await fetchFile(exported, request, scope)).blob, name),
    meta: { quiet: true },
    onSuccess: () => {
      notify('done', t('export.done', { name }));
      onDone();
    },
  });
}

interface FormatChoiceProps {
  readonly format: Format;
  readonly onChange: (format: Format) => void;
}

function FormatChoice({ format, onChange }: FormatChoiceProps) {
  const { t } = useTranslation('ui');
  return (
    <SegmentedControl
      aria-label={t('export.format')}
      value={format}
      onChange={(next) => onChange(next === 'ndjson' ? 'ndjson' : 'csv')}
      data={[
        { value: 'csv', label: 'CSV' },
        { value: 'ndjson', label: 'NDJSON' },
      ]}
    />
  );
}

interface FieldChoiceProps {
  readonly all: readonly string[];
  readonly fields: readonly string[];
  readonly onChange: (fields: readonly string[]) => void;
}

/** The fields in the order of the list, whatever was chosen first. */
function FieldChoice({ all, fields, onChange }: FieldChoiceProps) {
  const { t } = useTranslation('ui');
  return (
    <Checkbox.Group
      label={t('export.fields')}
      value={[...fields]}
      onChange={(chosen) => onChange(all.filter((field) => chosen.includes(field)))}
    >
      <div className={classes.fields}>
        {all.map((field) => (
          <Checkbox key={field} value={field} label={field.replace(/^properties\./, '')} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
