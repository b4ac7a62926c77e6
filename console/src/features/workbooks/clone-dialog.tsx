import { Button, Checkbox, TextInput } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
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
import { useCallMutation } from '../../lib/use-call.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { FolderInput } from './folder-input.tsx';
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

interface Wishes {
  readonly name: string;
  readonly directory: string;
  /** The original is switched off. */
  readonly disable: boolean;
  readonly keepSchedule: boolean;
}

function CloneDialog({ workbook, onClose }: CloneProps & { readonly onClose: () => void }) {
  const { t } = useTranslation('workbooks');
  const { properties } = workbook;
  const maySwitch = useMaySwitch(properties);
  const { wishes, change } = useWishes(properties, maySwitch);
  const isDisabling = wishes.disable && properties.enabled;
  const { copy, isPending } = useClone(workbook, wishes, isDisabling, onClose);
  const runs = properties.detection && properties.enabled && properties.schedule.mode !== 'off';
  const isTwice = runs && !isDisabling && wishes.keepSchedule;
  return (
    <FormDialog
      title={t('clone.title', { name: properties.name })}
      submitLabel={t('clone.confirm')}
      isReady={wishes.name.trim() !== ''}
      isBusy={isPending}
      onClose={onClose}
      onSubmit={copy}
    >
      <TextInput
        label={t('name')}
        value={wishes.name}
        required
        maxLength={200}
        data-autofocus
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <FolderInput value={wishes.directory} onChange={(directory) => change({ directory })} />
      {properties.enabled && (
        <Checkbox
          label={t('clone.disable')}
          description={t(maySwitch ? 'clone.disableHelp' : 'clone.disableNoRight')}
          checked={wishes.disable}
          disabled={!maySwitch}
          onChange={(event) => change({ disable: event.currentTarget.checked })}
        />
      )}
      {properties.schedule.mode !== 'off' && (
        <Checkbox
          label={t('clone.keepSchedule', { schedule: t(`mode.${properties.schedule.mode}`) })}
          description={t(isTwice ? 'clone.bothRun' : 'clone.keepScheduleHelp')}
          checked={wishes.keepSchedule}
          onChange={(event) => change({ keepSchedule: event.currentTarget.checked })}
        />
      )}
    </FormDialog>
  );
}

/** A clone of a shipped workbook takes its place; one of another stands beside it. */
function useWishes({ name, native, directory }: Workbook['properties'], maySwitch: boolean) {
  const { t } = useTranslation('workbooks');
  const [wishes, setWishes] = useState<Wishes>({
    name: t('clone.name', { name }).slice(0, 200),
    directory: native ? '' : directory,
    disable: maySwitch && native,
    keepSchedule: true,
  });
  const change = (part: Partial<Wishes>) => setWishes((old) => ({ ...old, ...part }));
  return { wishes, change };
}

/** Makes the clone, says what became of the original, and opens what was made. */
function useClone(workbook: Workbook, wishes: Wishes, isDisabling: boolean, onDone: () => void) {
  const { t } = useTranslation('workbooks');
  const { clusterId, scopeId } = useScope();
  const open = useOpenWorkbook();
  const clone = useCallMutation(cloneWorkbook, {
    stale: [listWorkbooks, listDirectories, workbookProperties, detectionWorkbookCount],
  });
  const copy = () => {
    const input = {
      scope_id: scopeId,
      ID: workbook.ID,
      name: wishes.name.trim(),
      directory: wishes.directory.trim(),
      disable_original: isDisabling,
      retain_schedule: wishes.keepSchedule,
    };
    const onSuccess = ({ ID }: { readonly ID: string }) => {
      const { name } = workbook.properties;
      notify('done', t('clone.done'), isDisabling ? t('clone.originalOff', { name }) : '');
      onDone();
      open('edit', ID);
    };
    clone.mutate({ params: { clusterId }, input }, { onSuccess });
  };
  return { copy, isPending: clone.isPending };
}
