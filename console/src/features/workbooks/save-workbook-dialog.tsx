import { Alert, Button, Stack, Text } from '@mantine/core';
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
import type { CallError } from '../../lib/call.ts';
import { notify } from '../../lib/notify.ts';
import { markStale, useCallMutation } from '../../lib/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { CommitMessage } from './commit-message.tsx';
import { SaveConflict } from './save-conflict.tsx';
import { SaveRefusal } from './save-refusal.tsx';
import type { WorkbookEditor } from './use-workbook-editor.ts';
import { useOpenWorkbook } from './workbook-links.ts';

const STALE = [workbookProperties, workbookVersionList, listWorkbooks, listDirectories];

interface SaveWorkbookDialogProps {
  readonly editor: WorkbookEditor;
  readonly onClose: () => void;
}

/** Asks what the change is about and saves it as a new version; a version that came in between is named. */
export function SaveWorkbookDialog({ editor, onClose }: SaveWorkbookDialogProps) {
  const { t } = useTranslation('workbooks');
  const [message, setMessage] = useState('');
  const { saveOn, saveCopy, isBusy, conflict, error } = useSaving(editor, message.trim(), onClose);
  const { workbook } = editor;
  const takeTheirs = () => {
    editor.adopt();
    onClose();
  };
  // The rule counts and has no look-back: whoever saves it is asked.
  const lookback =
    editor.draft.schedule.lookback_minutes === 0
      ? editor.problems.find((each) => each.code === 'WB103')
      : undefined;
  return (
    <Dialog onClose={onClose} title={t('save.title')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saveOn(workbook?.properties.version ?? 0);
        }}
      >
        <Stack gap={12}>
          <CommitMessage value={message} onChange={setMessage} data-autofocus />
          {lookback?.suggested !== undefined && <Lookback editor={editor} minutes={lookback.suggested} />}
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
          {error && <SaveRefusal error={error} />}
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

/** Saving on top of a version, or as a copy. `conflict` is the version that somebody else saved first. */
function useSaving(editor: WorkbookEditor, commit_message: string, onClose: () => void) {
  const { t } = useTranslation('workbooks');
  const open = useOpenWorkbook();
  const client = useQueryClient();
  const add = useCallMutation(addWorkbook, { quiet: true });
  const edit = useCallMutation(editWorkbook, { quiet: true });
  const { workbook, draft, clusterId, scopeId } = editor;
  const params = { clusterId };
  const common = { scope_id: scopeId, properties: draft, commit_message };
  const done = (version: number) => {
    // First this: what is then read again is known to be our own.
    editor.onSaved(version);
    void markStale(client, STALE);
    notify('done', t('save.done', { name: draft.name, version }));
    onClose();
  };
  const saveNew = () => {
    const onSuccess = ({ ID, version }: { ID: string; version: number }) => {
      done(version);
      open('edit', ID);
    };
    add.mutate({ params, input: common }, { onSuccess });
  };
  const saveOn = (version: number) => {
    if (!workbook) return saveNew();
    const onSuccess = (saved: { version: number }) => done(saved.version);
    // The page behind the dialog then offers the newer version at once.
    const onError = ({ status }: CallError) => status === 409 && void markStale(client, STALE);
    edit.mutate({ params, input: { ...common, ID: workbook.ID, version } }, { onSuccess, onError });
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
  const details = edit.error?.status === 409 ? edit.error.details : null;
  const conflict = (details as { version?: number } | null)?.version;
  // A conflict is asked about, not told.
  const error = add.error ?? (conflict === undefined ? edit.error : null);
  return { saveOn, saveCopy, isBusy: add.isPending || edit.isPending, conflict, error };
}

/** A rule that counts wants to look back; the draft takes the minutes over. */
function Lookback({ editor, minutes }: { readonly editor: WorkbookEditor; readonly minutes: number }) {
  const { t } = useTranslation('workbooks');
  const take = () =>
    editor.setDraft((now) => ({ ...now, schedule: { ...now.schedule, lookback_minutes: minutes } }));
  return (
    <Alert color="yellow" title={t('lookback.title')}>
      <Stack gap={8} align="flex-start">
        <Text size="xs">{t('lookback.text')}</Text>
        <Button variant="default" onClick={take}>
          {t('lookback.set', { count: minutes })}
        </Button>
      </Stack>
    </Alert>
  );
}
