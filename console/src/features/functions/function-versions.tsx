import { Button, Code, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { functionVersions, type KqlFunction } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';

interface FunctionVersionsProps {
  /** Null: closed. */
  readonly entry: KqlFunction | null;
  readonly onClose: () => void;
  /** Opens an older text to save it again. */
  readonly onRestore: (entry: KqlFunction, body: string, parameters: string) => void;
}

/** Every version of a function, the newest first. */
export function FunctionVersions({ entry, onClose, onRestore }: FunctionVersionsProps) {
  const { t } = useTranslation('search');
  return (
    <Modal
      opened={entry !== null}
      onClose={onClose}
      title={t('functions.versionsOf', { name: entry?.name ?? '' })}
      size={640}
      closeButtonProps={{ 'aria-label': t('ui:close') }}
    >
      {entry && <Versions entry={entry} onRestore={onRestore} />}
    </Modal>
  );
}

function Versions({
  entry,
  onRestore,
}: Omit<FunctionVersionsProps, 'entry' | 'onClose'> & { readonly entry: KqlFunction }) {
  const { t } = useTranslation('search');
  const { clusterId } = useScope();
  const list = useQuery(
    callQuery(functionVersions, { name: entry.name }, { params: { clusterId }, quiet: true }),
  );
  if (list.isError) return <ErrorPanel title={t('library.empty.failed')} error={list.error} />;
  if (!list.data) return <Loader size="sm" aria-label={t('library.empty.loading')} />;
  return (
    <Stack gap={16}>
      {list.data.map((each) => (
        <div key={each.version}>
          <Group gap={8} mb={4}>
            <Text fw={600} size="sm">
              {t('functions.version', { version: each.version })}
            </Text>
            <Text size="sm" c="dimmed">
              {each.changed_by}
            </Text>
            <TimeStamp time={each.updated} />
            {entry.editable && each.version !== entry.version && (
              <Button
                variant="default"
                size="compact-sm"
                ml="auto"
                onClick={() => onRestore(entry, each.body, each.parameters)}
              >
                {t('functions.restore')}
              </Button>
            )}
          </Group>
          <Code block>{`(${each.parameters}) {\n${each.body}\n}`}</Code>
        </div>
      ))}
    </Stack>
  );
}
