import { Button, Checkbox, Popover, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { listSignals, listSignalTags, signalFacetsResult, signalInfo, tagSignals } from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';

interface SignalTagMenuProps {
  readonly signalIds: readonly string[];
  /** Tags of those signals that are loaded, one list each. */
  readonly tagged: readonly (readonly string[])[];
}

/** Puts tags on signals and takes them off; a tag that only some carry is shown so, and a click gives it to all. */
export function SignalTagMenu({ signalIds, tagged }: SignalTagMenuProps) {
  const { t } = useTranslation('signals');
  const [isOpen, setOpen] = useState(false);
  const { names, change, isPending } = useTags(signalIds, tagged, isOpen);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      withinPortal
      trapFocus
      returnFocus
      width={260}
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconTag size={14} aria-hidden />}
          onClick={() => setOpen((now) => !now)}
        >
          {t('tags.button')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('tags.button')}>
        <Stack gap={10}>
          <NewTag onAdd={(tag) => change({ add: [tag] })} />
          <TagList names={names} tagged={tagged} isBusy={isPending} onChange={change} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface TagChange {
  readonly add?: string[];
  readonly remove?: string[];
}

/** Every tag that is known or carried, and what changes those of the signals. */
function useTags(signalIds: readonly string[], tagged: SignalTagMenuProps['tagged'], isOpen: boolean) {
  const { t } = useTranslation('signals');
  const { clusterId, scopeId } = useScope();
  const params = { clusterId };
  const known = useQuery(
    callQuery(listSignalTags, { scope_id: scopeId }, { params, enabled: isOpen, quiet: true }),
  );
  const apply = useCallMutation(tagSignals, {
    stale: [listSignals, listSignalTags, signalInfo, signalFacetsResult],
  });
  const change = (tags: TagChange) =>
    apply.mutate(
      { params, input: { scope_id: scopeId, signal_ids: [...signalIds], ...tags } },
      { onSuccess: ({ changed }) => notify('done', t('tags.changed', { count: changed })) },
    );
  const names = [...new Set([...(known.data ?? []).map(({ tag }) => tag), ...tagged.flat()])].sort();
  return { names, change, isPending: apply.isPending };
}

function NewTag({ onAdd }: { readonly onAdd: (tag: string) => void }) {
  const { t } = useTranslation('signals');
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') onAdd(name.trim());
    setName('');
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        size="xs"
        label={t('tags.new')}
        value={name}
        maxLength={60}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
    </form>
  );
}

interface TagListProps {
  readonly names: readonly string[];
  readonly tagged: SignalTagMenuProps['tagged'];
  readonly isBusy: boolean;
  readonly onChange: (tags: TagChange) => void;
}

function TagList({ names, tagged, isBusy, onChange }: TagListProps) {
  const { t } = useTranslation('signals');
  const carried = (tag: string) => tagged.filter((tags) => tags.includes(tag)).length;
  return (
    <ScrollArea.Autosize mah={260} type="auto">
      <Stack gap={8}>
        {names.map((tag) => (
          <Checkbox
            key={tag}
            size="xs"
            label={tag}
            checked={tagged.length > 0 && carried(tag) === tagged.length}
            indeterminate={carried(tag) > 0 && carried(tag) < tagged.length}
            disabled={isBusy}
            onChange={(event) => onChange(event.currentTarget.checked ? { add: [tag] } : { remove: [tag] })}
          />
        ))}
        {names.length === 0 && (
          <Text size="xs" c="dimmed">
            {t('tags.none')}
          </Text>
        )}
      </Stack>
    </ScrollArea.Autosize>
  );
}
