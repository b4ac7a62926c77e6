import { Button, Checkbox, Popover, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { listSignals, listSignalTags, signalFacetsResult, signalInfo, tagSignals } from '@tyrian/contract';
import { useState } from 'react';
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
  const { clusterId, scopeId } = useScope();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const params = { clusterId };
  const known = useQuery(
    callQuery(listSignalTags, { scope_id: scopeId }, { params, enabled: isOpen, quiet: true }),
  );
  const apply = useCallMutation(tagSignals, {
    stale: [listSignals, listSignalTags, signalInfo, signalFacetsResult],
  });
  const carried = (tag: string) => tagged.filter((tags) => tags.includes(tag)).length;
  const change = (tags: { readonly add?: string[]; readonly remove?: string[] }) =>
    apply.mutate(
      { params, input: { scope_id: scopeId, signal_ids: [...signalIds], ...tags } },
      { onSuccess: ({ changed }) => notify('done', t('tags.changed', { count: changed })) },
    );
  const names = [...new Set([...(known.data ?? []).map(({ tag }) => tag), ...tagged.flat()])].sort();
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
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (name.trim() !== '') change({ add: [name.trim()] });
              setName('');
            }}
          >
            <TextInput
              size="xs"
              label={t('tags.new')}
              value={name}
              maxLength={60}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
          </form>
          <ScrollArea.Autosize mah={260} type="auto">
            <Stack gap={8}>
              {names.map((tag) => (
                <Checkbox
                  key={tag}
                  size="xs"
                  label={tag}
                  checked={tagged.length > 0 && carried(tag) === tagged.length}
                  indeterminate={carried(tag) > 0 && carried(tag) < tagged.length}
                  disabled={apply.isPending}
                  onChange={(event) =>
                    change(event.currentTarget.checked ? { add: [tag] } : { remove: [tag] })
                  }
                />
              ))}
              {names.length === 0 && (
                <Text size="xs" c="dimmed">
                  {t('tags.none')}
                </Text>
              )}
            </Stack>
          </ScrollArea.Autosize>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
