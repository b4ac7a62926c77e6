import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Location, useBlocker } from 'react-router';
import { discardUnsavedWork, hasUnsavedWork, useAskToLeave } from '../lib/unsaved-work.ts';
import { Dialog } from '../ui/dialog.tsx';

/** Asks before unsaved changes are lost: on the way to another page or tab of one, or before it is loaded anew. */
export function LeaveGuard() {
  const { t } = useTranslation('app');
  const [waiting, setWaiting] = useState<((mayLeave: boolean) => void) | null>(null);
  useAskToLeave(() => new Promise((resolve) => setWaiting(() => resolve)));
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => hasUnsavedWork() && isElsewhere(currentLocation, nextLocation),
  );
  if (blocker.state !== 'blocked' && !waiting) return null;
  const decide = (mayLeave: boolean) => {
    if (mayLeave) discardUnsavedWork();
    waiting?.(mayLeave);
    setWaiting(null);
    if (blocker.state === 'blocked') mayLeave ? blocker.proceed() : blocker.reset();
  };
  return (
    <Dialog onClose={() => decide(false)} title={t('leave.title')}>
      <Text size="sm">{t('leave.text')}</Text>
      <Group justify="flex-end" gap={8} mt={16}>
        <Button variant="default" onClick={() => decide(true)}>
          {t('leave.leave')}
        </Button>
        <Button onClick={() => decide(false)} data-autofocus>
          {t('leave.stay')}
        </Button>
      </Group>
    </Dialog>
  );
}

/** Other parameters of the address change what a page shows, not the page. */
function isElsewhere(from: Location, to: Location): boolean {
  const tabOf = ({ search }: Location) => new URLSearchParams(search).get('tab');
  return from.pathname !== to.pathname || tabOf(from) !== tabOf(to);
}
