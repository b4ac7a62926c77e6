import { Checkbox, Text } from '@mantine/core';
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
import { FormDialog } from '../../ui/form-dialog.tsx';
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
  const named = useScheduleName();
  const restore = () => {
    const commit_message = t('version.restoreMessage', { version });
    const which = { scope_id: editor.scopeId, ID: id, version };
    revert.mutate(
      {
        params: { clusterId: editor.clusterId },
        input: { ...which, commit_message, with_schedule: withSchedule },
      },
      {
        onSuccess: (made) => {
          notify('done', t('version.restored', { version, made: made.version }));
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={t('version.restoreTitle', { version })}
      submitLabel={t('version.restore', { version })}
      isBusy={revert.isPending}
      onClose={onClose}
      onSubmit={restore}
    >
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
    </FormDialog>
  );
}

/** A schedule in words. */
function useScheduleName(): (schedule: Schedule) => string {
  const { t } = useTranslation('workbooks');
  return ({ mode, cron, timezone }) =>
    mode === 'scheduled' ? `${t('mode.scheduled')} (${cron}, ${timezone})` : t(`mode.${mode}`);
}
