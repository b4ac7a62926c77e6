import { Alert, Button, Group, Stack, Table } from '@mantine/core';
import type { DemoAccount } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { WideTable } from '../../ui/wide-table.tsx';

interface DemoAccountsProps {
  readonly accounts: readonly DemoAccount[];
  readonly onClose: () => void;
}

/** The users of the demo with their passwords, which are told only here. */
export function DemoAccounts({ accounts, onClose }: DemoAccountsProps) {
  const { t } = useTranslation('demo');
  const all = accounts.map((one) => `${one.role}\t${one.email}\t${one.password}`).join('\n');
  return (
    <Dialog size="lg" onClose={onClose} closeOnClickOutside={false} title={t('accounts')}>
      <Stack gap={12}>
        <Alert color="gray" variant="light" p={10}>
          {t('once')}
        </Alert>
        <WideTable label={t('accounts')} minWidth={420}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('role')}</Table.Th>
              <Table.Th>{t('email')}</Table.Th>
              <Table.Th>{t('password')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {accounts.map((one) => (
              <Table.Tr key={one.email}>
                <Table.Td>{one.role}</Table.Td>
                <Table.Td>{one.email}</Table.Td>
                <Table.Td className="mono">{one.password}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </WideTable>
        <Group justify="flex-end" gap={8}>
          <CopyButton value={all} label={t('copy')} />
          <Button onClick={onClose}>{t('done')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
