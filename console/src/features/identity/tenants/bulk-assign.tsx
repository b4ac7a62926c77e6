import { Button, Modal, MultiSelect, Stack, Text } from '@mantine/core';
import { assignRoles, listTenantUsers, type ScopeItem, type ScopeRole } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../../lib/notify.ts';
import { useCallMutation } from '../../../lib/use-call.ts';
import { DialogActions } from '../../../ui/dialog-actions.tsx';
import { RoleSelect } from './role-select.tsx';

interface BulkAssignProps {
  readonly clusterId: string;
  readonly scopes: readonly ScopeItem[];
  readonly userIds: readonly string[];
  readonly onDone: () => void;
}

/** One role in several scopes for everybody who is ticked. */
export function BulkAssign({ clusterId, scopes, userIds, onDone }: BulkAssignProps) {
  const { t } = useTranslation('tenants');
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string[]>(scopes.map((scope) => scope.scope_id));
  const [role, setRole] = useState<ScopeRole>('Viewer');
  const assign = useCallMutation(assignRoles, { stale: [listTenantUsers] });
  const submit = () =>
    assign.mutate(
      { params: { clusterId }, input: { user_ids: [...userIds], scope_ids: chosen, role } },
      {
        onSuccess: ({ changed }) => {
          notify('done', t('bulk.done', { count: changed }));
          setOpen(false);
          onDone();
        },
      },
    );
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('bulk.button', { count: userIds.length })}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('bulk.title', { count: userIds.length })}
        closeButtonProps={{ 'aria-label': t('ui:close') }}
      >
        <Stack gap={12}>
          <Text size="sm" c="dimmed">
            {t('bulk.help')}
          </Text>
          <MultiSelect
            label={t('scopes')}
            value={chosen}
            onChange={setChosen}
            data={scopes.map((scope) => ({ value: scope.scope_id, label: scope.scope_name }))}
          />
          <RoleSelect label={t('bulk.role')} value={role} onChange={setRole} />
          <DialogActions onCancel={() => setOpen(false)}>
            <Button disabled={chosen.length === 0} loading={assign.isPending} onClick={submit}>
              {t('bulk.submit')}
            </Button>
          </DialogActions>
        </Stack>
      </Modal>
    </>
  );
}
