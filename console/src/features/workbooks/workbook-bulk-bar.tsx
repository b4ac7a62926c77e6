import { Autocomplete, Button, Checkbox, Stack, Text } from '@mantine/core';
import { IconDownload, IconFolderSymlink, IconPower, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import {
  type Directory,
  deleteWorkbook,
  detectionWorkbookCount,
  listDirectories,
  listWorkbooks,
  moveWorkbook,
  type WorkbookItem,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError, call } from '../../lib/call.ts';
import { notify } from '../../lib/notify.ts';
import { serverText } from '../../lib/server-text.ts';
import { markStale } from '../../lib/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { showUndo } from '../../ui/undo-toast.tsx';
import { useSwitchDetections } from '../detections/public.ts';
import { downloadWorkbookFile } from './workbook-head-actions.tsx';
import styles from './workbook-list-page.module.css';

const STALE = [listWorkbooks, listDirectories, detectionWorkbookCount];

interface BulkBarProps {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly chosen: readonly WorkbookItem[];
  readonly folders: readonly Directory[];
  readonly onDone: () => void;
}

/** What can be done with several workbooks; says truly how many it was done to. */
export function WorkbookBulkBar({ clusterId, scopeId, chosen, folders, onDone }: BulkBarProps) {
  const { t } = useTranslation('workbooks');
  const client = useQueryClient();
  const switchDetections = useSwitchDetections();
  const [isMoving, setMoving] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const params = { clusterId };
  const each = async (work: (workbook: WorkbookItem) => Promise<unknown>): Promise<number> => {
    const results = await Promise.allSettled(chosen.map(work));
    await markStale(client, STALE);
    const done = results.filter((result) => result.status === 'fulfilled').length;
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) {
      notify(
        'failed',
        t('bulk.partly', { done, count: chosen.length }),
        failed.reason instanceof CallError ? serverText(failed.reason) : '',
      );
    }
    return done;
  };
  const enable = (enabled: boolean) =>
    switchDetections(
      chosen.map((one) => ({ ID: one.ID, name: one.properties.name })),
      enabled,
    );
  const move = async (directory: string) => {
    const before = chosen.map((one) => ({ ID: one.ID, directory: one.properties.directory }));
    const put = (ID: string, to: string) =>
      call(moveWorkbook, { params, input: { scope_id: scopeId, ID, directory: to } });
    const done = await each((one) => put(one.ID, directory));
    if (done === 0) return;
    showUndo(t('bulk.moved', { count: done }), async () => {
      await Promise.allSettled(before.map((one) => put(one.ID, one.directory)));
      await markStale(client, STALE);
    });
    onDone();
  };
  const remove = async (enableOriginals: boolean) => {
    const done = await each((one) =>
      call(deleteWorkbook, {
        params,
        input: {
          scope_id: scopeId,
          ID: one.ID,
          enable_original: enableOriginals && one.properties.replaced_original,
        },
      }),
    );
    if (done > 0) notify('done', t('bulk.deleted', { count: done }));
    onDone();
  };
  const download = async () => {
    for (const one of chosen) await downloadWorkbookFile(clusterId, scopeId, one, one.properties.name);
  };
  const hasFixed = chosen.some((one) => !one.properties.editable);
  return (
    <div className={styles.bulk} role="toolbar" aria-label={t('bulk.selected', { count: chosen.length })}>
      <strong>{t('bulk.selected', { count: chosen.length })}</strong>
      <Button variant="default" leftSection={<IconPower size={14} />} onClick={() => void enable(true)}>
        {t('bulk.enable')}
      </Button>
      <Button variant="default" onClick={() => void enable(false)}>
        {t('bulk.disable')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconFolderSymlink size={14} />}
        disabled={hasFixed}
        title={hasFixed ? t('bulk.fixed') : undefined}
        onClick={() => setMoving(true)}
      >
        {t('bulk.move')}
      </Button>
      <Button variant="default" leftSection={<IconDownload size={14} />} onClick={() => void download()}>
        {t('bulk.download')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconTrash size={14} />}
        disabled={hasFixed}
        title={hasFixed ? t('bulk.fixed') : undefined}
        onClick={() => setDeleting(true)}
      >
        {t('bulk.delete')}
      </Button>
      <Button variant="subtle" color="gray" onClick={onDone}>
        {t('bulk.clear')}
      </Button>
      {isDeleting && (
        <DeleteDialog
          count={chosen.length}
          hasClones={chosen.some((one) => one.properties.replaced_original)}
          onClose={() => setDeleting(false)}
          onDelete={(enableOriginals) => void remove(enableOriginals)}
        />
      )}
      {isMoving && (
        <MoveDialog
          folders={folders}
          count={chosen.length}
          onClose={() => setMoving(false)}
          onMove={(to) => void move(to)}
        />
      )}
    </div>
  );
}

function MoveDialog(props: {
  readonly folders: readonly Directory[];
  readonly count: number;
  readonly onClose: () => void;
  readonly onMove: (directory: string) => void;
}) {
  const { t } = useTranslation('workbooks');
  const [directory, setDirectory] = useState('');
  return (
    <Dialog onClose={props.onClose} title={t('bulk.moveTitle', { count: props.count })}>
      <Stack gap={16}>
        <Autocomplete
          label={t('folder')}
          placeholder={t('folderRoot')}
          size="xs"
          data={props.folders.filter((folder) => !folder.native).map((folder) => folder.path)}
          value={directory}
          onChange={setDirectory}
          data-autofocus
        />
        <DialogActions onCancel={props.onClose}>
          <Button
            onClick={() => {
              props.onClose();
              props.onMove(directory.trim());
            }}
          >
            {t('bulk.moveConfirm')}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}

function DeleteDialog(props: {
  readonly count: number;
  /** Some took the place of an original, which was switched off. */
  readonly hasClones: boolean;
  readonly onClose: () => void;
  readonly onDelete: (enableOriginals: boolean) => void;
}) {
  const { t } = useTranslation('workbooks');
  const [enableOriginals, setEnableOriginals] = useState(true);
  return (
    <Dialog onClose={props.onClose} title={t('bulk.deleteTitle', { count: props.count })}>
      <Stack gap={14}>
        <Text size="sm">{t('delete.consequence')}</Text>
        {props.hasClones && (
          <Checkbox
            label={t('bulk.enableOriginals')}
            description={t('delete.enableOriginalHelp')}
            checked={enableOriginals}
            onChange={(event) => setEnableOriginals(event.currentTarget.checked)}
          />
        )}
        <DialogActions onCancel={props.onClose}>
          <Button
            color="red"
            data-autofocus
            onClick={() => {
              props.onClose();
              props.onDelete(props.hasClones && enableOriginals);
            }}
          >
            {t('bulk.deleteConfirm', { count: props.count })}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}
