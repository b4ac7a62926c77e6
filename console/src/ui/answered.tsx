import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorPanel } from './error-panel.tsx';
import { useLate } from './use-late.ts';

interface AnsweredProps<T> {
  readonly query: {
    readonly data: T | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  readonly children: (data: T) => ReactNode;
}

/** What a page shows of one call: a skeleton while it is on its way, why it failed and a retry, or its answer. */
export function Answered<T>({ query, children }: AnsweredProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />;
  return <Waiting />;
}

function Waiting() {
  const { t } = useTranslation('ui');
  const isLate = useLate();
  if (!isLate) return null;
  return (
    <Stack p={16} gap={14} role="status" aria-label={t('loading')}>
      {[38, 62, 50, 70].map((width) => (
        <Skeleton key={width} height={14} width={`${width}%`} />
      ))}
    </Stack>
  );
}
