import { Group, Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { addDemo, type DemoAccount, type OutputOf, readDemo, removeDemo, tenantList } from '@tyrian/contract';
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
  const demo = useQuery({
    ...callQuery(readDemo, {}, { quiet: true }),
    refetchInterval: (query) => {
      const state = query.state.data?.state;
      return state === 'filling' || state === 'removing' ? WHILE_WORKING_MS : AT_REST_MS;
    },
  });
  if (!demo.data) return null;
  const { state, events, share } = demo.data;
  return (
    <>
      <AddButton isOffered={state === 'absent'} onChanged={onChanged} />
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
        <RemoveButton demo={demo.data} onChanged={onChanged} />
      ) : null}
    </>
  );
}

const STALE = [readDemo, tenantList];

interface AddButtonProps {
  readonly isOffered: boolean;
  readonly onChanged: () => void;
}

/** Adds the company and shows its accounts, which stay to be read when the button has gone. */
function AddButton({ isOffered, onChanged }: AddButtonProps) {
  const { t } = useTranslation('demo');
  const [accounts, setAccounts] = useState<readonly DemoAccount[] | null>(null);
  const add = useCallMutation(addDemo, { stale: STALE });
  const onSuccess = (answer: OutputOf<typeof addDemo>) => {
    setAccounts(answer.accounts);
    onChanged();
  };
  return (
    <>
      {isOffered ? (
        <ConfirmButton
          variant="default"
          isHarmless
          loading={add.isPending}
          title={t('addTitle')}
          consequence={t('addText')}
          confirmLabel={t('add')}
          onConfirm={() => add.mutate({ input: {} }, { onSuccess })}
        />
      ) : null}
      {accounts ? <DemoAccounts accounts={accounts} onClose={() => setAccounts(null)} /> : null}
    </>
  );
}

interface RemoveButtonProps {
  readonly demo: OutputOf<typeof readDemo>;
  readonly onChanged: () => void;
}

function RemoveButton({ demo: { tenants, events }, onChanged }: RemoveButtonProps) {
  const { t } = useTranslation('demo');
  const remove = useCallMutation(removeDemo, { stale: STALE });
  const onSuccess = () => {
    notify('done', t('removed'));
    onChanged();
  };
  return (
    <ConfirmButton
      variant="default"
      loading={remove.isPending}
      title={t('removeTitle')}
      consequence={t('removeText', { count: tenants.length, events: formatCount(events) })}
      confirmLabel={t('remove')}
      onConfirm={() => remove.mutate({ input: {} }, { onSuccess })}
    />
  );
}
