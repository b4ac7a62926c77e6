import { Button, Group, Progress, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useQuery } from '@tanstack/react-query';
import { addDemo, type DemoAccount, readDemo, removeDemo, tenantList } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../lib/format-number.ts';
import { notify } from '../../lib/notify.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { readAccess } from '../auth/public.ts';
import { DemoAccounts } from './demo-accounts.tsx';

const WHILE_WORKING_MS = 1000;
const AT_REST_MS = 30_000;

/** Adds and removes the demo company; for root, who may do both. */
export function DemoControl() {
  const { t } = useTranslation('tenants');
  const session = useSignedIn();
  const [accounts, setAccounts] = useState<readonly DemoAccount[] | null>(null);
  const stale = [readDemo, tenantList];
  const add = useCallMutation(addDemo, { stale });
  const remove = useCallMutation(removeDemo, { stale });
  const demo = useQuery({
    ...callQuery(readDemo, {}, { quiet: true }),
    refetchInterval: (query) => {
      const state = query.state.data?.state;
      return state === 'filling' || state === 'removing' ? WHILE_WORKING_MS : AT_REST_MS;
    },
  });
  if (!demo.data) return null;
  const { state, events, share, tenants } = demo.data;
  const askToAdd = () =>
    modals.openConfirmModal({
      title: t('demo.addTitle'),
      children: <Text size="sm">{t('demo.addText')}</Text>,
      labels: { confirm: t('demo.add'), cancel: t('ui:cancel') },
      confirmProps: { size: 'xs' },
      cancelProps: { size: 'xs' },
      closeButtonProps: { 'aria-label': t('ui:close') },
      onConfirm: () =>
        add.mutate(
          { input: {} },
          {
            onSuccess: (answer) => {
              setAccounts(answer.accounts);
              void readAccess(session);
            },
          },
        ),
    });
  return (
    <>
      {state === 'absent' ? (
        <Button variant="default" loading={add.isPending} onClick={askToAdd}>
          {t('demo.add')}
        </Button>
      ) : null}
      {state === 'filling' ? (
        <Group gap={8} role="status">
          <Text size="xs" c="dimmed">
            {t('demo.filling', { events: formatCount(events) })}
          </Text>
          <Progress w={120} value={share * 100} aria-label={t('demo.progress')} />
        </Group>
      ) : null}
      {state === 'removing' ? (
        <Text size="xs" c="dimmed" role="status">
          {t('demo.removing')}
        </Text>
      ) : null}
      {state === 'ready' || state === 'filling' ? (
        <ConfirmButton
          variant="default"
          loading={remove.isPending}
          title={t('demo.removeTitle')}
          consequence={t('demo.removeText', { count: tenants.length, events: formatCount(events) })}
          confirmLabel={t('demo.remove')}
          onConfirm={() =>
            remove.mutate(
              { input: {} },
              {
                onSuccess: () => {
                  notify('done', t('demo.removed'));
                  void readAccess(session);
                },
              },
            )
          }
        >
          {t('demo.remove')}
        </ConfirmButton>
      ) : null}
      {accounts ? <DemoAccounts accounts={accounts} onClose={() => setAccounts(null)} /> : null}
    </>
  );
}
