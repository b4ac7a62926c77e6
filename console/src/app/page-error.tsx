import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';
import { CallError } from '../lib/call.ts';
import { reloadPage } from '../lib/page-reload.ts';
import { serverText } from '../lib/server-text.ts';
import { NoSessionError } from '../lib/session-store.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { PageState } from '../ui/page-state.tsx';
import { ScreenGoneError } from './new-build.tsx';
import { RouteLoading } from './route-loading.tsx';

/** What a route shows when its screen throws: what happened, retry, and details to pass on. */
export function PageError() {
  const { t } = useTranslation('app');
  const error = useRouteError();
  if (error instanceof NoSessionError) return <RouteLoading />;
  if (error instanceof ScreenGoneError) return <ScreenGone />;
  const details = describeError(error);
  return (
    <PageState icon={IconAlertTriangle}>
      <Title order={1}>{t('error500.title')}</Title>
      <Text c="dimmed">{t('error500.text')}</Text>
      <Stack gap={8} w="100%">
        <Code block>{details}</Code>
      </Stack>
      <Group gap={8}>
        <Button onClick={() => void reloadPage()}>{t('reload')}</Button>
        <CopyButton value={details} label={t('error500.copy')} />
      </Group>
    </PageState>
  );
}

/** A page that could not be loaded, where there was none before it to stay on. */
function ScreenGone() {
  const { t } = useTranslation('app');
  return (
    <PageState icon={IconRefresh}>
      <Title order={1}>{t('newBuild.title')}</Title>
      <Text c="dimmed">{t('newBuild.text')}</Text>
      <Button onClick={() => void reloadPage()}>{t('reload')}</Button>
    </PageState>
  );
}

/** Name, message, request id and the first lines of the stack; no values of the page. */
function describeError(error: unknown): string {
  if (error instanceof CallError) {
    return [
      serverText(error) || error.kind,
      `HTTP ${error.status}`,
      error.requestId && `request ${error.requestId}`,
    ]
      .filter(Boolean)
      .join('\n');
  }
  if (error instanceof Error)
    return [String(error), ...(error.stack?.split('\n').slice(1, 5) ?? [])].join('\n');
  return String(error);
}
