import { Button } from '@mantine/core';
import { IconDownload, IconFolderSymlink, IconPower, IconTrash } from '@tabler/icons-react';
import type { WorkbookItem } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DownloadContentDialog } from '../content/public.ts';
import { BulkDeleteDialog, BulkMoveDialog } from './bulk-dialogs.tsx';
import { useBulkActs } from './use-bulk-acts.ts';
import styles from './workbook-list-page.module.css';

interface BulkBarProps {
  readonly chosen: readonly WorkbookItem[];
  readonly onDone: () => void;
}

/** What can be done with several workbooks; says truly how many it was done to. */
export function WorkbookBulkBar({ chosen, onDone }: BulkBarProps) {
  const { t } = useTranslation('workbooks');
  const acts = useBulkActs(chosen, onDone);
  const [asked, setAsked] = useState<'move' | 'delete' | 'download' | null>(null);
  const [count, ids] = [chosen.length, chosen.map(({ ID }) => ID)];
  const hasFixed = chosen.some((one) => !one.properties.editable);
  const ofOwn = { variant: 'default', disabled: hasFixed, title: hasFixed ? t('bulk.fixed') : undefined };
  return (
    <div className={styles.bulk} role="toolbar" aria-label={t('bulk.selected', { count })}>
      <strong>{t('bulk.selected', { count })}</strong>
      <Button variant="default" leftSection={<IconPower size={14} />} onClick={() => void acts.enable(true)}>
        {t('bulk.enable')}
      </Button>
      <Button variant="default" onClick={() => void acts.enable(false)}>
        {t('bulk.disable')}
      </Button>
      <Button {...ofOwn} leftSection={<IconFolderSymlink size={14} />} onClick={() => setAsked('move')}>
        {t('bulk.move')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconDownload size={14} />}
        onClick={() => (count === 1 ? void acts.download() : setAsked('download'))}
      >
        {t('bulk.download')}
      </Button>
      <Button {...ofOwn} leftSection={<IconTrash size={14} />} onClick={() => setAsked('delete')}>
        {t('bulk.delete')}
      </Button>
      <Button variant="subtle" color="gray" onClick={onDone}>
        {t('bulk.clear')}
      </Button>
      {asked === 'delete' && (
        <BulkDeleteDialog
          count={count}
          hasClones={chosen.some((one) => one.properties.replaced_original)}
          onClose={() => setAsked(null)}
          onDelete={(enableOriginals) => void acts.remove(enableOriginals)}
        />
      )}
      {asked === 'download' && (
        <DownloadContentDialog workbookIds={ids} count={count} onClose={() => setAsked(null)} />
      )}
      {asked === 'move' && (
        <BulkMoveDialog count={count} onClose={() => setAsked(null)} onMove={(to) => void acts.move(to)} />
      )}
    </div>
  );
}
