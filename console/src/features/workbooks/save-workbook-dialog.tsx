import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
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
  const add = useCallMutation(addWorkbook, { stale: STALE, quiet: true });
  const edit = useCallMutation(editWorkbook, { stale: STALE, quiet: true });
  const { workbook, draft, clusterId, scopeId } = editor;
  const params = { clusterId };
  const common = { scope_id: scopeId, properties: draft, commit_message: message.trim() };
  const done = (version: number) => {
    editor.onSaved(version);
    notify('done', t('save.done', { name: draft.name, version }));
    onClose();
  };
  const save = () => {
    if (workbook) {
      const input = { ...common, ID: workbook.ID, version: workbook.properties.version };
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
  const error = edit.error ?? add.error;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('save.title')}
      closeButtonProps={{ 'aria-label': t('ui:close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
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
          {error && <SaveRefusal error={error} />}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose}>
              {t('ui:cancel')}
            </Button>
            <Button type="submit" loading={add.isPending || edit.isPending}>
              {t('save.button')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
