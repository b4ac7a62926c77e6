import type { Case } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { NewCaseForm } from './new-case-form.tsx';

interface NewCaseDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (one: Case) => void;
}

/** A case that starts without a signal. */
export function NewCaseDialog({ onClose, onCreated }: NewCaseDialogProps) {
  const { t } = useTranslation('cases');
  return (
    <Dialog onClose={onClose} title={t('new.title')}>
      <NewCaseForm onCancel={onClose} onCreated={onCreated} />
    </Dialog>
  );
}
