import { Autocomplete, Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  cloneWorkbook,
  detectionWorkbookCount,
  listDirectories,
  listWorkbooks,
  type Workbook,
  workbookProperties,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { useOpenWorkbook } from './workbook-links.ts';

interface CloneProps {
  readonly workbook: Workbook;
}

/** Makes a clone of a workbook that can't be changed here, after asking what becomes of the original. */
export function CloneButton({ workbook }: CloneProps) {
  const { t } = useTranslation('workbooks');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button leftSection={<IconCopy size={14} />} onClick={() => setOpen(true)}>
        {t('clone.button')}
      </Button>
      {isOpen && <CloneDialog workbook={workbook} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Built-in detections are switched by engineers, others by who may change them. */
function useMaySwitch({ native, editable }: Workbook['properties']): boolean {
  const { tags } = useSignedIn();
  return native ? tags.includes('engineer') : editable;
}

function CloneDialog({ workbook, onClose }: CloneProps & { readonly onClose: () => void }) {
  const { t } = useTranslation('workbooks');
  const { clusterId, scopeId } = useScope();
  const params = { clusterId };
  const { properties } = workbook;
  const maySwitch = useMaySwitch(properties);
  const runs = properties.detection && properties.enabled && properties.schedule.mode !== 'off';
  const [name, setName] = useState(t('clone.name', { name: properties.name }).slice(0, 200));
  const [directory, setDirectory] = useState(properties.native ? '' : properties.directory);
  const [disable, setDisable] = useState(maySwitch && properties.native);
  const [keepSchedule, setKeepSchedule] = useState(true);
  const open = useOpenWorkbook();
  const folders =
    useQuery(callQuery(listDirectories, { scope_id: scopeId }, { params, quiet: true })).data ?? [];
  const clone = useCallMutation(cloneWorkbook, {
    stale: [listWorkbooks, listDirectories, workbookProperties, detectionWorkbookCount],
  });
  const isDisabling = disable && properties.enabled;
  const copy = () =>
    clone.mutate(
      {
        params,
        input: {
          scope_id: scopeId,
          ID: workbook.ID,
          name: name.trim(),
          directory: directory.trim(),
          disable_original: isDisabling,
          retain_schedule: keepSchedule,
        },
      },
      {
        onSuccess: ({ ID }) => {
          notify(
            'done',
            t('clone.done'),
            isDisabling ? t('clone.originalOff', { name: properties.name }) : '',
          );
          onClose();
          open('edit', ID);
        },
      },
    );
  return (
    <Dialog onClose={onClose} title={t('clone.title', { name: properties.name })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          copy();
        }}
      >
        <Stack gap={14}>
          <TextInput
            label={t('name')}
            value={name}
            required
            maxLength={200}
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Autocomplete
            label={t('folder')}
            placeholder={t('folderRoot')}
            size="xs"
            data={folders.filter((folder) => !folder.native).map((folder) => folder.path)}
            value={directory}
            onChange={setDirectory}
          />
          {properties.enabled && (
            <Checkbox
              label={t('clone.disable')}
              description={t(maySwitch ? 'clone.disableHelp' : 'clone.disableNoRight')}
              checked={disable}
              disabled={!maySwitch}
              onChange={(event) => setDisable(event.currentTarget.checked)}
            />
          )}
          {properties.schedule.mode !== 'off' && (
            <Checkbox
              label={t('clone.keepSchedule', { schedule: t(`mode.${properties.schedule.mode}`) })}
              description={t(
                runs && !isDisabling && keepSchedule ? 'clone.bothRun' : 'clone.keepScheduleHelp',
              )}
              checked={keepSchedule}
              onChange={(event) => setKeepSchedule(event.currentTarget.checked)}
            />
          )}
          <DialogActions onCancel={onClose}>
            <Button type="submit" loading={clone.isPending} disabled={name.trim() === ''}>
              {t('clone.confirm')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}
