import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type Case, exportCases } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { callForFile } from '../../lib/call.ts';
import { formatTime, resolveZone } from '../../lib/format-time.ts';
import { saveFile } from '../../lib/save-file.ts';
import { useScope } from '../../lib/session-store.ts';
import { useSettings } from '../../lib/settings.ts';

const MOST_EXPORTED = 50;
const MAX_NAMED = 3;

/** `CASE-12 2026-03-04.csv`: the cases by key, or how many there are, and the day. */
function exportName(cases: readonly Pick<Case, 'case_key'>[], format: string, now: number): string {
  const keys = cases.map((one) => one.case_key);
  const named = keys.length > MAX_NAMED ? `${keys[0]} and ${keys.length - 1} more` : keys.join(' ');
  return `${named} ${formatTime(now, 'iso').slice(0, 10)}.${format}`;
}

/** Takes cases along as a file whose name says which they are. */
export function CaseExportMenu({ cases }: { readonly cases: readonly Case[] }) {
  const { t } = useTranslation('cases');
  const { clusterId, scopeId } = useScope();
  const { timeZone } = useSettings();
  const download = useMutation({
    mutationFn: async (format: 'csv' | 'ndjson') => {
      const case_ids = cases.slice(0, MOST_EXPORTED).map((one) => one.case_id);
      const input = { scope_id: scopeId, case_ids, format, timezone: resolveZone(timeZone) };
      const file = await callForFile(exportCases, { params: { clusterId }, input });
      saveFile(file.blob, exportName(cases, format, Date.now()));
    },
  });
  const isTooMany = cases.length > MOST_EXPORTED;
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
