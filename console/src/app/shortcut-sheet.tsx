import { Kbd, Modal, Switch, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { mayOpen } from '../lib/landing.ts';
import { changePreferences } from '../lib/preferences.ts';
import { useSignedIn } from '../lib/session-store.ts';
import { useSettings } from '../lib/settings.ts';
import { GO_KEYS } from './use-global-keys.ts';

const KEYS: readonly (readonly [readonly string[], string])[] = [
  [['?'], 'sheet'],
  [['Esc'], 'close'],
  [['j', 'k'], 'move'],
  [['Enter'], 'open'],
  [['x'], 'select'],
  [['Shift', 'Enter'], 'run'],
];

/** The sheet of keyboard shortcuts, with the switch that turns single keys off. */
export function ShortcutSheet({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('app');
  const { shortcuts } = useSettings();
  const session = useSignedIn();
  const rows = [
    ...Object.entries(GO_KEYS)
      .filter(([, target]) => mayOpen(session, target.route))
      .map(([key, target]) => ({
        keys: ['g', key],
        text: t('keys.go', { screen: t(`menu.${target.title}`) }),
      })),
    ...KEYS.map(([keys, text]) => ({ keys, text: t(`keys.${text}`) })),
  ];
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('keys.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Switch
        checked={shortcuts}
        onChange={(event) => changePreferences({ shortcuts: event.currentTarget.checked })}
        label={t('keys.switch')}
        mb="sm"
      />
      <Table verticalSpacing={6}>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.text}>
              <Table.Td w={120}>
                {row.keys.map((key) => (
                  <Kbd key={key} size="xs" mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{row.text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
