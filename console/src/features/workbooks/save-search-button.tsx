import {
  Autocomplete,
  Button,
  Checkbox,
  Group,
  Modal,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  addWorkbook,
  checkWorkbook,
  listDirectories,
  listWorkbooks,
  type SignalBody,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { resolveZone } from '../../lib/format-time.ts';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import type { TimeRange } from '../../lib/time-range.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { gapsOf, withoutGaps } from './draft-gaps.ts';
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
  const { clusterId, scopeId } = useScope();
  const params = { clusterId };
  const [name, setName] = useState('');
  const [directory, setDirectory] = useState('');
  const [message, setMessage] = useState('');
  const [signal, setSignal] = useState<SignalBody | null>(null);
  const open = useOpenWorkbook();
  const add = useCallMutation(addWorkbook, { stale: [listWorkbooks, listDirectories], quiet: true });
  const folders =
    useQuery(callQuery(listDirectories, { scope_id: scopeId }, { params, quiet: true })).data ?? [];
  const zone = resolveZone(useSettings().timeZone);
  const [draft] = useState(() => newDraft(query, { duration: durationOf(range, zone), zone }));
  const [block] = useState(() => signalBlock());
  const properties = {
    ...draft,
    name: name.trim(),
    directory: directory.trim(),
    blocks: signal
      ? [...draft.blocks, { ...block, body: { ...signal, name: signal.name.trim() || name.trim() } }]
      : draft.blocks,
  };
  const gaps = gapsOf(properties);
  const check = useQuery(
    callQuery(
      checkWorkbook,
      { scope_id: scopeId, properties: withoutGaps(properties) },
      { params, quiet: true, keep: true, enabled: signal !== null },
    ),
  );
  const isShort = name.trim() === '' || gaps.length > 0;
  const save = () =>
    add.mutate(
      { params, input: { scope_id: scopeId, properties, commit_message: message.trim() } },
      {
        onSuccess: ({ ID }) => {
          notify('done', t('saveSearch.done'), properties.name);
          onDone();
          open('edit', ID);
        },
      },
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack gap={12}>
        <Group grow align="flex-start">
          <TextInput
            label={t('name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            maxLength={200}
            data-autofocus
          />
          <Autocomplete
            label={t('folder')}
            placeholder={t('folderRoot')}
            size="xs"
            data={folders.map((folder) => folder.path)}
            value={directory}
            onChange={setDirectory}
          />
        </Group>
        <Textarea
          label={t('message')}
          placeholder={t('messageHint')}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
          maxLength={500}
        />
        <Checkbox
          label={t('saveSearch.asDetection')}
          description={t('saveSearch.asDetectionHelp')}
          checked={signal !== null}
          onChange={(event) => setSignal(event.currentTarget.checked ? block.body : null)}
        />
        {signal && (
          <SignalForm
            clusterId={clusterId}
            body={signal}
            fields={check.data?.columns.map((column) => column.name) ?? []}
            problems={check.data?.problems.filter((each) => each.block_id === block.block_id) ?? []}
            isFixed={false}
            onChange={setSignal}
          />
        )}
        {signal && (
          <Text size="xs" c="dimmed">
            {t(
              gaps.some(({ field }) => field === 'suspects') ? 'signal.entityMissing' : 'saveSearch.offFirst',
            )}
          </Text>
        )}
        {add.error && <SaveRefusal error={add.error} />}
        <DialogActions onCancel={onDone}>
          <Button type="submit" loading={add.isPending} disabled={isShort}>
            {t('saveSearch.save')}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}
