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

/** Name, format and fields of a file with the whole list as it is filtered. */
export function ExportDialog({
  exported,
  onClose,
}: {
  readonly exported: ListExport;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('ui');
  const scope = useScope();
  const { timeZone } = useSettings();
  const all = ALL_FIELDS[exported.entity];
  const [name, setName] = useState(`${exported.entity}-${new Date().toISOString().slice(0, 10)}`);
  const [format, setFormat] = useState<Format>('csv');
  const [fields, setFields] = useState<readonly string[]>(all);
  const zone = resolveZone(timeZone);
  const take = useMutation<void, CallError>({
    mutationFn: async () => {
      const request = { file_name: name, format, timezone: zone, fields: [...fields] };
      const { blob } = await fetchFile(exported, request, scope);
      saveFile(blob, `${name}.${format}`);
    },
    meta: { quiet: true },
    onSuccess: () => {
      notify('done', t('export.done', { name: `${name}.${format}` }));
      onClose();
    },
  });
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
          <SegmentedControl
            aria-label={t('export.format')}
            value={format}
            onChange={(next) => setFormat(next === 'ndjson' ? 'ndjson' : 'csv')}
            data={[
              { value: 'csv', label: 'CSV' },
              { value: 'ndjson', label: 'NDJSON' },
            ]}
          />
        </Group>
        <Checkbox.Group
          label={t('export.fields')}
          value={[...fields]}
          onChange={(chosen) => setFields(all.filter((field) => chosen.includes(field)))}
        >
          <div className={classes.fields}>
            {all.map((field) => (
              <Checkbox key={field} value={field} label={field.replace(/^properties\./, '')} />
            ))}
          </div>
        </Checkbox.Group>
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
