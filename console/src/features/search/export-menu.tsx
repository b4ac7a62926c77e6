import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes } from '../../lib/format-number.ts';
import { notify, notifyFailure } from '../../lib/notify.ts';
import { exportSearchFile } from '../../query-kit/runs/export-search-file.ts';
import type { KqlJob } from '../../query-kit/runs/run-search.ts';
import { IconButton } from '../../ui/icon-button.tsx';

interface ExportMenuProps {
  readonly clusterId: string;
  /** The search as it ran: same query, range and zone. */
  readonly asked: KqlJob | null;
  /** Columns that are shown, when they were chosen by hand. */
  readonly columns: readonly string[];
}

type Format = 'csv' | 'ndjson';

/** All rows of the search as a file, without a cap. */
export function ExportMenu({ clusterId, asked, columns }: ExportMenuProps) {
  const { t } = useTranslation('search');
  const [bytes, setBytes] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  const start = async (format: Format, chosen: readonly string[], localTimes: boolean) => {
    if (!asked) return;
    const controller = new AbortController();
    running.current = controller;
    setBytes(0);
    const { scope_id, query, from, to, query_timezone } = asked;
    const input = {
      scope_id,
      query,
      from,
      to,
      query_timezone,
      format,
      columns: [...chosen],
      local_times: localTimes,
    };
    const stamp = new Date().toISOString().slice(0, 19).replace(/[:T]/g, '-');
    const fileName = `tyrian-search-${stamp}.${format}`;
    try {
      const done = await exportSearchFile({
        clusterId,
        input,
        fileName,
        signal: controller.signal,
        onBytes: setBytes,
      });
      if (done) notify('done', t('export.done'), fileName);
    } catch (error) {
      if (controller.signal.aborted) notify('info', t('export.stopped'));
      else notifyFailure(error);
    } finally {
      setBytes(null);
    }
  };
  const zone = asked?.query_timezone || 'UTC';
  if (bytes !== null) {
    return (
      <Button variant="default" onClick={() => running.current?.abort()}>
        {t('export.running', { bytes: formatBytes(bytes) })}
      </Button>
    );
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <IconButton label={t('export.title')} disabled={!asked}>
          <IconDownload size={16} />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('export.allRows')}</Menu.Label>
        <Menu.Item onClick={() => void start('csv', [], false)}>{t('export.csv')}</Menu.Item>
        {zone !== 'UTC' && (
          <Menu.Item onClick={() => void start('csv', [], true)}>{t('export.csvLocal', { zone })}</Menu.Item>
        )}
        <Menu.Item onClick={() => void start('ndjson', [], false)}>{t('export.ndjson')}</Menu.Item>
        {columns.length > 0 && (
          <Menu.Item onClick={() => void start('csv', columns, false)}>
            {t('export.csvColumns', { count: columns.length })}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
