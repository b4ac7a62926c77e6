import { Button } from '@mantine/core';
import { IconCircleCheck, IconX } from '@tabler/icons-react';
import type { Case, changeCaseStatus, OutputOf } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { CaseExportMenu } from './case-export-menu.tsx';
import { useStatusChange } from './case-queries.ts';
import { ResolutionDialog } from './resolution-dialog.tsx';

interface BulkBarProps {
  readonly chosen: readonly Case[];
  readonly onDone: () => void;
}

/** What can be done with the cases that are ticked. */
export function CaseBulkBar({ chosen, onDone }: BulkBarProps) {
  const { t } = useTranslation('cases');
  const { clusterId, scopeId } = useScope();
  const [isClosing, setClosing] = useState(false);
  const change = useStatusChange();
  const open = chosen.filter((one) => one.status !== 'CLOSED');
  return (
    <>
      <strong>{t('bulk.chosen', { count: chosen.length })}</strong>
      <Button
        variant="default"
        leftSection={<IconCircleCheck size={14} aria-hidden />}
        disabled={open.length === 0}
        onClick={() => setClosing(true)}
      >
        {t('bulk.close', { count: open.length })}
      </Button>
      <CaseExportMenu cases={chosen} />
      <Button variant="subtle" color="gray" leftSection={<IconX size={14} aria-hidden />} onClick={onDone}>
        {t('bulk.clear')}
      </Button>
      {isClosing ? (
        <ResolutionDialog
          title={t('close.titleMany', { count: open.length })}
          confirm={t('bulk.close', { count: open.length })}
          isSaving={change.isPending}
          onClose={() => setClosing(false)}
          onConfirm={(resolution, note) =>
            change.mutate(
              {
                params: { clusterId },
                input: {
                  scope_id: scopeId,
                  case_ids: open.map((one) => one.case_id),
                  status: 'CLOSED',
                  resolution,
                  note: note || undefined,
                },
              },
              {
                onSuccess: (outcome) => {
                  tellOutcome(outcome, open, t);
                  setClosing(false);
                  onDone();
                },
              },
            )
          }
        />
      ) : null}
    </>
  );
}

/** Says how many were closed, and names those that were not, with the reason. */
function tellOutcome(
  { changed, refused }: OutputOf<typeof changeCaseStatus>,
  asked: readonly Case[],
  t: TFunction<'cases'>,
): void {
  if (changed.length > 0) notify('done', t('bulk.closed', { count: changed.length }));
  if (refused.length === 0) return;
  const keys = new Map(asked.map((one) => [one.case_id, one.case_key]));
  const reasons = refused.map((one) => `${keys.get(one.case_id) ?? one.case_id}: ${serverText(one)}`);
  notify('failed', t('bulk.refused', { count: refused.length }), reasons.join('; '));
}
