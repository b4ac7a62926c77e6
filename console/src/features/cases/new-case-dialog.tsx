import { Modal } from '@mantine/core';
import type { Case } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { NewCaseForm } from './new-case-form.tsx';

interface NewCaseDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (one: Case) => void;
}

/** A case that starts without a signal. */
export function NewCaseDialog({ onClose, onCreated }: NewCaseDialogProps) {
  const { t } = useTranslation('cases');
  return (
    <Modal opened onClose={onClose} title={t('new.title')} closeButtonProps={{ 'aria-label': t('ui:close') }}>
      <NewCaseForm onCancel={onClose} onCreated={onCreated} />
    </Modal>
  );
}
