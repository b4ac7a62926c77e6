import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../lib/session-store.ts';
import { useScopeUsers } from './case-queries.ts';

interface HandlerSelectProps {
  readonly label?: string;
  readonly value: string | null;
  readonly onChange: (userId: string | null) => void;
  readonly description?: string;
}

/** Picks who handles a case; the user comes first. */
export function HandlerSelect({ label, value, onChange, description }: HandlerSelectProps) {
  const { t } = useTranslation('cases');
  const { user } = useSignedIn();
  const users = useScopeUsers();
  const data = [...users]
    .sort((a, b) => Number(b.user_id === user.id) - Number(a.user_id === user.id))
    .map((one) => ({
      value: one.user_id,
      label: one.user_id === user.id ? t('me', { name: one.name }) : one.name,
    }));
  return (
    <Select
      label={label}
      aria-label={label ?? t('list.handler')}
      description={description}
      placeholder={t('unassigned')}
      data={data}
      value={value}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('head.unassign') }}
      nothingFoundMessage={t('nobody')}
    />
  );
}
