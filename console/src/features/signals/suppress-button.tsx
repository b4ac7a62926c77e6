import { Button } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import type { Signal } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../lib/session-store.ts';
import { draftOfSignal, SuppressionDialog } from '../suppression/public.ts';

type Suppressible = Pick<Signal, 'workbook_id' | 'workbook_name' | 'suspects' | 'targets'>;

/** Opens a suppression rule that holds for signals like this one; for engineers. */
export function SuppressButton({ signal }: { readonly signal: Suppressible }) {
  const { t } = useTranslation('signals');
  const { tags } = useSignedIn();
  const [isOpen, setOpen] = useState(false);
  if (!tags.includes('engineer')) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconEyeOff size={14} />} onClick={() => setOpen(true)}>
        {t('action.suppress')}
      </Button>
      {isOpen && <SuppressionDialog draft={draftOfSignal(signal)} onClose={() => setOpen(false)} />}
    </>
  );
}
