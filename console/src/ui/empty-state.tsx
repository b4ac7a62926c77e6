import { Group, Text } from '@mantine/core';
import { IconClockOff, IconFilterOff, IconInbox, IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { PageState } from './page-state.tsx';

/** Why there is nothing: nothing yet, nothing in the time range, all filtered out, or no right to see it. */
export type EmptyKind = 'nothing-yet' | 'nothing-in-range' | 'filtered-out' | 'no-right';

const ICONS = {
  'nothing-yet': IconInbox,
  'nothing-in-range': IconClockOff,
  'filtered-out': IconFilterOff,
  'no-right': IconLock,
} as const;

interface EmptyStateProps {
  readonly kind: EmptyKind;
  readonly title: string;
  readonly text?: string;
  /** The next step, as buttons. */
  readonly children?: ReactNode;
}

export function EmptyState({ kind, title, text, children }: EmptyStateProps) {
  return (
    <PageState icon={ICONS[kind]} isSmall>
      <Text fw={600}>{title}</Text>
      {text ? (
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      ) : null}
      {children ? <Group gap={8}>{children}</Group> : null}
    </PageState>
  );
}
