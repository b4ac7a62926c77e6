import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Location, useBlocker } from 'react-router';
import { discardUnsavedWork, hasUnsavedWork, useAskToLeave, useHasUnsavedWork } from '../lib/unsaved-work.ts';
import { Dialog } from '../ui/dialog.tsx';

/** Asks before unsaved changes are lost: on the way to another page or tab of one, or before it is loaded anew. */
export function LeaveGuard() {
  const [waiting, setWaiting] = useState<((mayLeave: boolean) => void) | null>(null);
  const isHeld = useHasUnsavedWork();
  useAskToLeave(() => new Promise((resolve) => setWaiting(() => resolve)));
  const decide = (mayLeave: boolean) => {
    if (mayLeave) discardUnsavedWork();
    waiting?.(mayLeave);
    setWaiting(null);
  };
  if (waiting) return <LeaveQuestion onDecide={decide} />;
  return isHeld ? <RouteGuard /> : null;
}

/** Stands in the way of the router only while something is unsaved: it complains of every typed address otherwise. */
function RouteGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => hasUnsavedWork() && isElsewhere(currentLocation, nextLocation),
  );
  if (blocker.state !== 'blocked') return null;
  const decide = (mayLeave: boolean) => {
    if (mayLeave) {
      blocker.proceed();
      discardUnsavedWork();
    } else blocker.reset();
  };
  return <LeaveQuestion onDecide={decide} />;
}

function LeaveQuestion({ onDecide }: { readonly onDecide: (mayLeave: boolean) => void }) {
  const { t } = useTranslation('app');
  return (
    <Dialog onClose={() => onDecide(false)} title={t('leave.title')}>
      <Text size="sm">{t('leave.text')}</Text>
      <Group justify="flex-end" gap={8} mt={16}>
        <Button variant="default" onClick={() => onDecide(true)}>
          {t('leave.leave')}
        </Button>
        <Button onClick={() => onDecide(false)} data-autofocus>
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
