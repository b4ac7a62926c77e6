import { Alert, Button, Stack, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import {
  addWorkbook,
  editWorkbook,
  listDirectories,
  listWorkbooks,
  workbookProperties,
  workbookVersionList,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { markStale, useCallMutation } from '../../lib/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { SaveConflict } from './save-conflict.tsx';
import { SaveRefusal } from './save-refusal.tsx';
import type { WorkbookEditor } from './use-workbook-editor.ts';
import { useOpenWorkbook } from './workbook-links.ts';

const STALE = [workbookProperties, workbookVersionList, listWorkbooks, listDirectories];

/** Asks what the change is about and saves it as a new version; a version that came in between is named. */
export function SaveWorkbookDialog({
  editor,
  onClose,
}: {
  readonly editor: WorkbookEditor;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('workbooks');
  const [message, setMessage] = useState('');
  const open = useOpenWorkbook();
  const client = useQueryClient();
  const add = useCallMutation(addWorkbook, { quiet: true });
  const edit = useCallMutation(editWorkbook, { quiet: true });
  const { workbook, draft, clusterId, scopeId } = editor;
  const params = { clusterId };
  const common = { scope_id: scopeId, properties: draft, commit_message: message.trim() };
  const done = (version: number) => {
    // First this: what is then read again is known to be our own.
    editor.onSaved(version);
    void markStale(client, STALE);
    notify('done', t('save.done', { name: draft.name, version }));
    onClose();
  };
  const saveOn = (version: number) => {
    if (workbook) {
      const input = { ...common, ID: workbook.ID, version };
      edit.mutate(
        { params, input },
        {
          onSuccess: ({ version }) => done(version),
          // The page behind the dialog then offers the newer version at once.
          onError: ({ status }) => status === 409 && void markStale(client, STALE),
        },
      );
    } else {
      const onSuccess = ({ ID, version }: { ID: string; version: number }) => {
        done(version);
        open('edit', ID);
      };
      add.mutate({ params, input: common }, { onSuccess });
    }
  };
  const saveCopy = () => {
    const schedule = { ...draft.schedule, mode: 'off', cron: null } as const;
    const properties = { ...draft, name: t('clone.name', { name: draft.name }), schedule };
    const onSuccess = ({ ID }: { ID: string }) => {
      void markStale(client, STALE);
      notify('done', t('clone.done'));
      onClose();
      open('edit', ID);
    };
    add.mutate({ params, input: { ...common, properties } }, { onSuccess });
  };
  const takeTheirs = () => {
    editor.adopt();
    onClose();
  };
  const conflict =
    edit.error?.status === 409 ? (edit.error.details as { version?: number } | null)?.version : undefined;
  // The rule counts and has no look-back: whoever saves it is asked.
  const lookback =
    draft.schedule.lookback_minutes === 0 ? editor.problems.find((each) => each.code === 'WB103') : undefined;
  const setLookback = (minutes: number) =>
    editor.setDraft((now) => ({ ...now, schedule: { ...now.schedule, lookback_minutes: minutes } }));
  const isBusy = add.isPending || edit.isPending;
  const error = add.error ?? edit.error;
  return (
    <Dialog onClose={onClose} title={t('save.title')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saveOn(workbook?.properties.version ?? 0);
        }}
      >
        <Stack gap={12}>
          <Textarea
            label={t('message')}
            placeholder={t('messageHint')}
            value={message}
            maxLength={500}
            autosize
            minRows={2}
            data-autofocus
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
          {lookback?.suggested !== undefined && (
            <Alert color="yellow" title={t('lookback.title')}>
              <Stack gap={8} align="flex-start">
                <Text size="xs">{t('lookback.text')}</Text>
                <Button variant="default" onClick={() => setLookback(lookback.suggested ?? 0)}>
                  {t('lookback.set', { count: lookback.suggested })}
                </Button>
              </Stack>
            </Alert>
          )}
          {workbook && conflict !== undefined && (
            <SaveConflict
              editor={editor}
              id={workbook.ID}
              version={conflict}
              isBusy={isBusy}
              onSaveOnTop={() => saveOn(conflict)}
              onSaveCopy={saveCopy}
              onTakeTheirs={takeTheirs}
            />
          )}
          {error && (conflict === undefined || add.error) && <SaveRefusal error={error} />}
          <DialogActions onCancel={onClose}>
            {conflict === undefined && (
              <Button type="submit" loading={isBusy}>
                {t(lookback ? 'lookback.saveAnyway' : 'save.button')}
              </Button>
            )}
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}
