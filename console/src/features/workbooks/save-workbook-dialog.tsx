import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
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
import { useCallMutation } from '../../lib/use-call.ts';
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
      edit.mutate({ params, input }, { onSuccess: ({ version }) => done(version) });
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
          {error && <Refusal error={error} />}
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

/** Why the server did not save; a conflict says what to do. */
function Refusal({ error }: { readonly error: CallError }) {
  const { t } = useTranslation('workbooks');
  const problems = (error.details as { problems?: readonly { message: string }[] } | null)?.problems ?? [];
  return (
    <div role="alert">
      <Text size="sm" c="var(--bad)">
        {error.status === 409 ? t('save.conflict') : error.message || t('save.failed')}
      </Text>
      {problems.map((problem) => (
        <Text key={problem.message} size="xs">
          {problem.message}
        </Text>
      ))}
    </div>
  );
}
