import { Button, Group, Modal, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Asks before unsaved changes are lost. */
export function LeaveDialog({
  onStay,
  onLeave,
}: {
  readonly onStay: () => void;
  readonly onLeave: () => void;
}) {
  const { t } = useTranslation('workbooks');
  return (
    <Modal
      opened
      onClose={onStay}
      title={t('leave.title')}
      closeButtonProps={{ 'aria-label': t('ui:close') }}
    >
      <Text size="sm">{t('leave.text')}</Text>
      <Group justify="flex-end" gap={8} mt={16}>
        <Button variant="default" onClick={onLeave}>
          {t('leave.leave')}
        </Button>
        <Button onClick={onStay} data-autofocus>
          {t('leave.stay')}
        </Button>
      </Group>
    </Modal>
  );
}
