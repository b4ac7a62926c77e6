import { Button, Checkbox, Group, Modal, Text, TextInput } from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  addWorkbook,
  checkWorkbook,
  listDirectories,
  listWorkbooks,
  type SignalBody,
  type WorkbookDraft,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { resolveZone } from '../../lib/format-time.ts';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import type { TimeRange } from '../../lib/time-range.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { DialogForm } from '../../ui/form-dialog.tsx';
import { CommitMessage } from './commit-message.tsx';
import { gapsOf, withoutGaps } from './draft-gaps.ts';
import { FolderInput } from './folder-input.tsx';
import { durationOf } from './range-duration.ts';
import { SaveRefusal } from './save-refusal.tsx';
import { SignalForm } from './signal-form.tsx';
import { newDraft, signalBlock } from './workbook-draft.ts';
import { useOpenWorkbook } from './workbook-links.ts';

/** Saves the query of Find as a workbook; with a signal block it becomes a detection. */
export function SaveSearchButton({
  query,
  range,
  disabled,
}: {
  readonly query: string;
  /** What Find searches; the workbook keeps it. */
  readonly range: TimeRange;
  readonly disabled: boolean;
}) {
  const { t } = useTranslation('workbooks');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDeviceFloppy size={14} />}
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        {t('saveSearch.button')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('saveSearch.title')}
        size={720}
        closeButtonProps={{ 'aria-label': t('ui:close') }}
      >
        {isOpen && <SaveSearchForm query={query} range={range} onDone={() => setOpen(false)} />}
      </Modal>
    </>
  );
}

interface SaveSearchFormProps {
  readonly query: string;
  readonly range: TimeRange;
  readonly onDone: () => void;
}

function SaveSearchForm({ query, range, onDone }: SaveSearchFormProps) {
  const { t } = useTranslation('workbooks');
  const [name, setName] = useState('');
  const [directory, setDirectory] = useState('');
  const [message, setMessage] = useState('');
  const [signal, setSignal] = useState<SignalBody | null>(null);
  const { properties, block } = useNewWorkbook(query, range, { name: name.trim(), directory, signal });
  const { save, add } = useSaving(properties, message.trim(), onDone);
  return (
    <DialogForm
      submitLabel={t('saveSearch.save')}
      isReady={name.trim() !== '' && gapsOf(properties).length === 0}
      isBusy={add.isPending}
      onCancel={onDone}
      onSubmit={save}
    >
      <Group grow align="flex-start">
        <TextInput
          label={t('name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          maxLength={200}
          data-autofocus
        />
        <FolderInput value={directory} onChange={setDirectory} />
      </Group>
      <CommitMessage value={message} onChange={setMessage} />
      <Checkbox
        label={t('saveSearch.asDetection')}
        description={t('saveSearch.asDetectionHelp')}
        checked={signal !== null}
        onChange={(event) => setSignal(event.currentTarget.checked ? block.body : null)}
      />
      {signal && (
        <NewSignal body={signal} blockId={block.block_id} properties={properties} onChange={setSignal} />
      )}
      {add.error && <SaveRefusal error={add.error} />}
    </DialogForm>
  );
}

interface NewSignalProps {
  readonly body: SignalBody;
  readonly blockId: string;
  readonly properties: WorkbookDraft;
  readonly onChange: (body: SignalBody) => void;
}

/** What a detection raises, with what the server says to it, and what becomes of it when it is saved. */
function NewSignal({ body, blockId, properties, onChange }: NewSignalProps) {
  const { t } = useTranslation('workbooks');
  const { clusterId } = useScope();
  const check = useCheck(properties);
  const isNobody = gapsOf(properties).some(({ field }) => field === 'suspects');
  return (
    <>
      <SignalForm
        clusterId={clusterId}
        body={body}
        fields={check?.columns.map((column) => column.name) ?? []}
        problems={check?.problems.filter((each) => each.block_id === blockId) ?? []}
        isFixed={false}
        onChange={onChange}
      />
      <Text size="xs" c="dimmed">
        {t(isNobody ? 'signal.entityMissing' : 'saveSearch.offFirst')}
      </Text>
    </>
  );
}

interface Filled {
  readonly name: string;
  readonly directory: string;
  /** Null: it does not detect. */
  readonly signal: SignalBody | null;
}

/** The workbook that would be saved; a signal without a name of its own takes that of the workbook. */
function useNewWorkbook(query: string, range: TimeRange, { name, directory, signal }: Filled) {
  const zone = resolveZone(useSettings().timeZone);
  const [draft] = useState(() => newDraft(query, { duration: durationOf(range, zone), zone }));
  const [block] = useState(() => signalBlock());
  const blocks = signal
    ? [...draft.blocks, { ...block, body: { ...signal, name: signal.name.trim() || name } }]
    : draft.blocks;
  return { properties: { ...draft, name, directory: directory.trim(), blocks }, block };
}

/** What the server says to the draft: its columns and what is wrong with it. */
function useCheck(properties: WorkbookDraft) {
  const { clusterId, scopeId } = useScope();
  const input = { scope_id: scopeId, properties: withoutGaps(properties) };
  const params = { clusterId };
  return useQuery(callQuery(checkWorkbook, input, { params, quiet: true, keep: true })).data;
}

function useSaving(properties: WorkbookDraft, commit_message: string, onDone: () => void) {
  const { t } = useTranslation('workbooks');
  const { clusterId, scopeId } = useScope();
  const open = useOpenWorkbook();
  const add = useCallMutation(addWorkbook, { stale: [listWorkbooks, listDirectories], quiet: true });
  const onSuccess = ({ ID }: { readonly ID: string }) => {
    notify('done', t('saveSearch.done'), properties.name);
    onDone();
    open('edit', ID);
  };
  const input = { scope_id: scopeId, properties, commit_message };
  return { save: () => add.mutate({ params: { clusterId }, input }, { onSuccess }), add };
}
