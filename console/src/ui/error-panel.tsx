import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CallError } from '../lib/call.ts';
import { serverText } from '../lib/server-text.ts';
import { CopyButton } from './copy-button.tsx';
import { PageState } from './page-state.tsx';

interface ErrorPanelProps {
  readonly error: unknown;
  /** What could not be done, e.g. "Cases could not be loaded". */
  readonly title?: string;
  readonly onRetry?: () => void;
}

/** A part of a page that failed by itself: what, why, the request id, and retry. */
export function ErrorPanel({ error, title, onRetry }: ErrorPanelProps) {
  const { t } = useTranslation('ui');
  const known = error instanceof CallError ? error : null;
  const reason =
    (known && serverText(known)) || (known?.kind === 'network' ? t('error.network') : t('error.unknown'));
  return (
    <PageState icon={IconAlertTriangle} isSmall>
      <div role="alert">
        <Text fw={600}>{title ?? t('error.title')}</Text>
        <Text size="sm" c="dimmed">
          {reason}
        </Text>
      </div>
      {known?.requestId ? (
        <Text size="xs" c="dimmed" ff="monospace">
          {t('error.request', { id: known.requestId })}
        </Text>
      ) : null}
      <Group gap={8}>
        {onRetry ? (
          <Button variant="default" onClick={onRetry}>
            {t('error.retry')}
          </Button>
        ) : null}
        {known?.requestId ? (
          <CopyButton value={`${reason} (${known.requestId})`} label={t('error.copy')} />
        ) : null}
      </Group>
    </PageState>
  );
}
