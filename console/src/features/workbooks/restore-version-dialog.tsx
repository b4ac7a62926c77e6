import { Button, Checkbox, Stack, Text } from '@mantine/core';
import {
  listWorkbooks,
  revertWorkbook,
  type Schedule,
  type WorkbookDraft,
  workbookProperties,
  workbookVersionList,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import type { WorkbookEditor } from './use-workbook-editor.ts';

interface RestoreVersionDialogProps {
  readonly editor: WorkbookEditor;
  readonly id: string;
  readonly version: number;
  readonly old: WorkbookDraft;
  readonly onClose: () => void;
}

const SCHEDULE_FIELDS = ['mode', 'cron', 'timezone', 'lookback_minutes'] as const;

/** Says what comes back and what stays; an old schedule comes back only when it is asked for. */
export function RestoreVersionDialog({ editor, id, version, old, onClose }: RestoreVersionDialogProps) {
  const { t } = useTranslation('workbooks');
  const [withSchedule, setWithSchedule] = useState(false);
  const revert = useCallMutation(revertWorkbook, {
    stale: [workbookProperties, workbookVersionList, listWorkbooks],
  });
  const now = editor.draft.schedule;
  const isDetection = old.blocks.some((block) => block.type === 'signal');
  const differs =
    isDetection && SCHEDULE_FIELDS.some((field) => (now[field] ?? null) !== (old.schedule[field] ?? null));
  const named = (schedule: Schedule) =>
    schedule.mode === 'scheduled'
      ? `${t('mode.scheduled')} (${schedule.cron}, ${schedule.timezone})`
      : t(`mode.${schedule.mode}`);
  const restore = () =>
    revert.mutate(
      {
        params: { clusterId: editor.clusterId },
        input: {
          scope_id: editor.scopeId,
          ID: id,
          version,
          commit_message: t('version.restoreMessage', { version }),
          with_schedule: withSchedule,
        },
      },
      {
        onSuccess: (made) => {
          notify('done', t('version.restored', { version, made: made.version }));
          onClose();
        },
      },
    );
  return (
    <Dialog onClose={onClose} title={t('version.restoreTitle', { version })}>
      <Stack gap={12}>
        <Text size="sm">{t('version.restoreText', { version })}</Text>
        <Text size="sm">
          {isDetection ? t('version.scheduleStays', { schedule: named(now) }) : t('version.scheduleEnds')}
        </Text>
        {differs && (
          <Checkbox
            size="xs"
            label={t('version.withSchedule', { schedule: named(old.schedule) })}
            checked={withSchedule}
            onChange={(event) => setWithSchedule(event.currentTarget.checked)}
          />
        )}
        <DialogActions onCancel={onClose}>
          <Button loading={revert.isPending} onClick={restore}>
            {t('version.restore', { version })}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}
