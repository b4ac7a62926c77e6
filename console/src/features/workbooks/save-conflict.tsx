import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { workbookVersionList } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { serverText } from '../../lib/server-text.ts';
import { callQuery } from '../../lib/use-call.ts';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import type { WorkbookEditor } from './use-workbook-editor.ts';

interface SaveConflictProps {
  readonly editor: WorkbookEditor;
  readonly id: string;
  /** The version that somebody else saved. */
  readonly version: number;
  readonly isBusy: boolean;
  readonly onSaveOnTop: () => void;
  readonly onSaveCopy: () => void;
  readonly onTakeTheirs: () => void;
}

/** Somebody saved first: says who and what, and lets choose. Whatever is chosen, no saved version is lost. */
export function SaveConflict(props: SaveConflictProps) {
  const { editor, id, version, isBusy } = props;
  const { t } = useTranslation('workbooks');
  const params = { clusterId: editor.clusterId };
  const versions = useQuery(
    callQuery(workbookVersionList, { scope_id: editor.scopeId, ID: id }, { params, quiet: true }),
  );
  const theirs = versions.data?.find((each) => each.version === version);
  const choices = [
    { name: 'onTop', act: props.onSaveOnTop, isReady: true },
    { name: 'copy', act: props.onSaveCopy, isReady: true },
    { name: 'theirs', act: props.onTakeTheirs, isReady: editor.newerVersion !== null },
  ] as const;
  return (
    <Stack gap={12} role="alert">
      <div>
        <Text size="sm" fw={600}>
          {t('conflict.title', { version })}
        </Text>
        {theirs && (
          <Text size="xs" c="dimmed">
            {theirs.author} · <TimeStamp time={theirs.cnam_time} /> ·{' '}
            {serverText({ ...theirs, message: theirs.commit_message }) || t('ui:versions.noComment')}
          </Text>
        )}
      </div>
      {choices.map(({ name, act, isReady }) => (
        <div key={name}>
          <Button variant="default" fullWidth loading={isBusy} disabled={!isReady} onClick={act}>
            {t(`conflict.${name}`, { version, next: version + 1 })}
          </Button>
          <Text size="xs" c="dimmed" mt={4}>
            {t(`conflict.${name}Help`, { version })}
          </Text>
        </div>
      ))}
    </Stack>
  );
}
