import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listSuppressedSignals } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { callQuery } from '../../lib/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SuppressedList } from './suppressed-list.tsx';

interface SuppressedNoteProps {
  /** Of event time, ms. */
  readonly start: number;
  readonly end: number;
}

/** How many signals of a range were suppressed, which opens the list of them; nothing where none were. */
export function SuppressedNote({ start, end }: SuppressedNoteProps) {
  const { t } = useTranslation('suppression');
  const { locale } = useSettings();
  const { clusterId, scopeId } = useScope();
  const [isOpen, setOpen] = useState(false);
  const input = { scope_id: scopeId, start, end, pagesize: 1 };
  const count = useQuery(
    callQuery(listSuppressedSignals, input, { params: { clusterId }, quiet: true, keep: true }),
  ).data?.total_count;
  if (!count) return null;
  return (
    <>
      <Anchor component="button" type="button" size="sm" onClick={() => setOpen(true)}>
        {t('note', { count, number: formatInteger(count, locale) })}
      </Anchor>
      {isOpen && (
        <Dialog title={t('suppressed')} size="xl" onClose={() => setOpen(false)}>
          <div style={{ display: 'flex', flexDirection: 'column', height: '60vh' }}>
            <SuppressedList start={start} end={end} />
          </div>
        </Dialog>
      )}
    </>
  );
}
