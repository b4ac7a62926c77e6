import { Button, Menu } from '@mantine/core';
import { IconCircleCheck, IconDownload, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type Case, type changeCaseStatus, exportCases, type OutputOf } from '@tyrian/contract';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callForFile } from '../../lib/call.ts';
import { resolveZone } from '../../lib/format-time.ts';
import { notify } from '../../lib/notify.ts';
import { saveFile } from '../../lib/save-file.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';
import { useStatusChange } from './case-queries.ts';
import { ResolutionDialog } from './resolution-dialog.tsx';

const MOST_EXPORTED = 50;

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
      <ExportMenu chosen={chosen} />
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
  const reasons = refused.map((one) => `${keys.get(one.case_id) ?? one.case_id}: ${one.message}`);
  notify('failed', t('bulk.refused', { count: refused.length }), reasons.join('; '));
}

function ExportMenu({ chosen }: { readonly chosen: readonly Case[] }) {
  const { t } = useTranslation('cases');
  const { clusterId, scopeId } = useScope();
  const { timeZone } = useSettings();
  const download = useMutation({
    mutationFn: async (format: 'csv' | 'ndjson') => {
      const case_ids = chosen.slice(0, MOST_EXPORTED).map((one) => one.case_id);
      const input = { scope_id: scopeId, case_ids, format, timezone: resolveZone(timeZone) };
      const file = await callForFile(exportCases, { params: { clusterId }, input });
      saveFile(file.blob, file.fileName ?? `cases.${format}`);
    },
  });
  const isTooMany = chosen.length > MOST_EXPORTED;
  return (
    <Menu>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          loading={download.isPending}
          disabled={isTooMany}
          title={isTooMany ? t('bulk.exportLimit', { count: MOST_EXPORTED }) : undefined}
        >
          {t('bulk.export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => download.mutate('csv')}>CSV</Menu.Item>
        <Menu.Item onClick={() => download.mutate('ndjson')}>NDJSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
