import { Button, Menu } from '@mantine/core';
import {
  IconClock,
  IconDeviceFloppy,
  IconDots,
  IconDownload,
  IconGridDots,
  IconHeartRateMonitor,
  IconLock,
  IconLockOpen,
  IconPlayerPlay,
  IconPlayerStop,
  IconPower,
  IconTrash,
} from '@tabler/icons-react';
import {
  checkLockedWorkbook,
  detectionWorkbookCount,
  downloadWorkbook,
  listWorkbooks,
  lockWorkbook,
  type Workbook,
  workbookProperties,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { callForFile } from '../../lib/call.ts';
import { notifyFailure } from '../../lib/notify.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { saveBlob } from '../../query-kit/runs/export-search-file.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { useSwitchDetections } from '../detections/public.ts';
import { CloneButton } from './clone-dialog.tsx';
import { DeleteWorkbookDialog } from './delete-workbook-dialog.tsx';
import type { WorkbookEditor } from './use-workbook-editor.ts';
import { useWorkbookPaths } from './workbook-links.ts';

interface HeadActionsProps {
  readonly editor: WorkbookEditor;
  readonly isRunning: boolean;
  readonly onRunAll: () => void;
  readonly onStopAll: () => void;
  readonly onSave: () => void;
  readonly onSchedule: () => void;
  readonly onHealth: () => void;
  readonly onAttack: () => void;
}

/** Saves a workbook as a file. */
export async function downloadWorkbookFile(
  clusterId: string,
  scopeId: string,
  workbook: Pick<Workbook, 'ID'>,
  name: string,
) {
  try {
    const file = await callForFile(downloadWorkbook, {
      params: { clusterId },
      input: { scope_id: scopeId, ID: workbook.ID },
    });
    saveBlob(file.blob, file.fileName ?? `${name}.yaml`);
  } catch (error) {
    notifyFailure(error);
  }
}

/** Run, schedule, save and the rarer actions of a workbook. */
export function WorkbookHeadActions(props: HeadActionsProps) {
  const { editor, isRunning } = props;
  const { t } = useTranslation('workbooks');
  const { workbook, fixed, draft } = editor;
  const canSave =
    fixed === null && draft.name.trim() !== '' && !editor.hasGaps && (editor.isDirty || !workbook);
  return (
    <>
      <Button
        variant="default"
        leftSection={isRunning ? <IconPlayerStop size={14} /> : <IconPlayerPlay size={14} />}
        onClick={isRunning ? props.onStopAll : props.onRunAll}
      >
        {t(isRunning ? 'head.stopAll' : 'head.runAll')}
      </Button>
      <IconButton label={t('schedule.title')} onClick={props.onSchedule}>
        <IconClock size={16} />
      </IconButton>
      {workbook && (
        <IconButton label={t('health.title')} onClick={props.onHealth}>
          <IconHeartRateMonitor size={16} />
        </IconButton>
      )}
      {workbook && (
        <IconButton label={t('head.attack')} onClick={props.onAttack}>
          <IconGridDots size={16} />
        </IconButton>
      )}
      {workbook && <MoreMenu editor={editor} workbook={workbook} />}
      {fixed === null ? (
        <Button leftSection={<IconDeviceFloppy size={14} />} onClick={props.onSave} disabled={!canSave}>
          {t('save.button')}
        </Button>
      ) : (
        workbook && <CloneButton workbook={workbook} />
      )}
    </>
  );
}

interface WorkbookActionProps {
  readonly editor: WorkbookEditor;
  readonly workbook: Workbook;
}

function MoreMenu({ editor, workbook }: WorkbookActionProps) {
  const { t } = useTranslation('workbooks');
  const navigate = useNavigate();
  const paths = useWorkbookPaths();
  const stale = [workbookProperties, listWorkbooks, checkLockedWorkbook, detectionWorkbookCount];
  const lock = useCallMutation(lockWorkbook, { stale });
  const switchDetections = useSwitchDetections();
  const [isDeleting, setDeleting] = useState(false);
  const { clusterId, scopeId } = editor;
  const params = { clusterId };
  const one = { scope_id: scopeId, ID: workbook.ID };
  const { name, locked, enabled, native, editable } = workbook.properties;
  const menu = (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <IconButton label={t('head.more')}>
          <IconDots size={16} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconPower size={14} />}
          onClick={() => void switchDetections([{ ID: workbook.ID, name }], !enabled)}
        >
          {t(enabled ? 'head.disable' : 'head.enable')}
        </Menu.Item>
        {!native && (
          <Menu.Item
            leftSection={locked ? <IconLockOpen size={14} /> : <IconLock size={14} />}
            onClick={() => lock.mutate({ params, input: { ...one, lock: !locked } })}
          >
            {t(locked ? 'head.unlock' : 'head.lock')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconDownload size={14} />}
          onClick={() => void downloadWorkbookFile(clusterId, scopeId, workbook, name)}
        >
          {t('head.download')}
        </Menu.Item>
        {!native && editable && (
          <Menu.Item leftSection={<IconTrash size={14} />} onClick={() => setDeleting(true)}>
            {t('head.delete')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
  return (
    <>
      {menu}
      {isDeleting && (
        <DeleteWorkbookDialog
          workbook={workbook}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate(paths.list)}
        />
      )}
    </>
  );
}
