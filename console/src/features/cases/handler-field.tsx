import { Button, Popover } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { type Case, isReadOnly } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { useAssignment } from './case-queries.ts';
import classes from './handler-field.module.css';
import { HandlerSelect } from './handler-select.tsx';

/** The handler; a click changes it, unless the case is closed. */
export function HandlerField({ one }: { readonly one: Case }) {
  const { t } = useTranslation('cases');
  const { clusterId, scopeId } = useScope();
  const { user } = useSignedIn();
  const [isOpen, setOpen] = useState(false);
  const assign = useAssignment();
  const name = one.handler?.name ?? t('unassigned');
  if (isReadOnly(one.status)) return <span>{name}</span>;
  const set = (user_id: string | null) =>
    assign.mutate(
      { params: { clusterId }, input: { scope_id: scopeId, case_id: one.case_id, user_id } },
      { onSuccess: () => setOpen(false) },
    );
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus width={280}>
      <Popover.Target>
        <button type="button" className={classes.handler} onClick={() => setOpen((open) => !open)}>
          {one.handler ? null : <IconUserPlus size={14} aria-hidden />}
          {name}
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel}>
        <HandlerSelect label={t('list.handler')} value={one.handler?.user_id ?? null} onChange={set} />
        {one.handler?.user_id === user.id ? null : (
          <Button variant="default" loading={assign.isPending} onClick={() => set(user.id)}>
            {t('head.takeIt')}
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
