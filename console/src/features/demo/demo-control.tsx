import { Button, Group, Progress, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useQuery } from '@tanstack/react-query';
import { addDemo, type DemoAccount, readDemo, removeDemo, tenantList } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../lib/format-number.ts';
import { notify } from '../../lib/notify.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DemoAccounts } from './demo-accounts.tsx';

const WHILE_WORKING_MS = 1000;
const AT_REST_MS = 30_000;

/** Adds and removes the demo company; for root, who may do both. `onChanged`: there are other tenants now. */
export function DemoControl({ onChanged }: { readonly onChanged: () => void }) {
  const { t } = useTranslation('demo');
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
      title: t('addTitle'),
      children: <Text size="sm">{t('addText')}</Text>,
      labels: { confirm: t('add'), cancel: t('ui:cancel') },
      confirmProps: { size: 'xs' },
      cancelProps: { size: 'xs' },
      closeButtonProps: { 'aria-label': t('ui:close') },
      onConfirm: () =>
        add.mutate(
          { input: {} },
          {
            onSuccess: (answer) => {
              setAccounts(answer.accounts);
              onChanged();
            },
          },
        ),
    });
  return (
    <>
      {state === 'absent' ? (
        <Button variant="default" loading={add.isPending} onClick={askToAdd}>
          {t('add')}
        </Button>
      ) : null}
      {state === 'filling' ? (
        <Group gap={8} role="status">
          <Text size="xs" c="dimmed">
            {t('filling', { events: formatCount(events) })}
          </Text>
          <Progress w={120} value={share * 100} aria-label={t('progress')} />
        </Group>
      ) : null}
      {state === 'removing' ? (
        <Text size="xs" c="dimmed" role="status">
          {t('removing')}
        </Text>
      ) : null}
      {state === 'ready' || state === 'filling' ? (
        <ConfirmButton
          variant="default"
          loading={remove.isPending}
          title={t('removeTitle')}
          consequence={t('removeText', { count: tenants.length, events: formatCount(events) })}
          confirmLabel={t('remove')}
          onConfirm={() =>
            remove.mutate(
              { input: {} },
              {
                onSuccess: () => {
                  notify('done', t('removed'));
                  onChanged();
                },
              },
            )
          }
        />
      ) : null}
      {accounts ? <DemoAccounts accounts={accounts} onClose={() => setAccounts(null)} /> : null}
    </>
  );
}
