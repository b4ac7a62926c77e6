import { Alert, Button, FileButton, Group, Table, Text } from '@mantine/core';
import { IconDownload, IconTrash, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import {
  exportLayer,
  type LayerItem,
  listLayers,
  navigatorLayerSchema,
  removeLayer,
  saveLayer,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { saveFile } from '../../lib/save-file.ts';
import { serverText } from '../../lib/server-text.ts';
import { useScope } from '../../lib/session-store.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { askToConfirm } from '../../ui/confirm-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { WideTable } from '../../ui/wide-table.tsx';
import { type AttackLink, type ChangeAttackLink, filtersOf } from './attack-link.ts';

const MOST_BYTES = 8_000_000;

interface LayersDialogProps {
  readonly link: AttackLink;
  readonly change: ChangeAttackLink;
  readonly onClose: () => void;
}

/** Layers of the ATT&CK Navigator: what is shown as a file, files of others to compare with, and those that are kept. */
export function LayersDialog({ link, change, onClose }: LayersDialogProps) {
  const { t } = useTranslation('attack');
  const { clusterId, scopeId } = useScope();
  const layers = useQuery(
    callQuery(listLayers, { scope_id: scopeId }, { params: { clusterId }, quiet: true }),
  );
  const give = useGiveLayer(link);
  const take = useTakeLayer((layer) => {
    change({ against: `layer:${layer.layer_id}` });
    onClose();
  });
  return (
    <Dialog title={t('layers.title')} size="lg" onClose={onClose}>
      <Text size="sm" c="dimmed" mb={12}>
        {t('layers.help')}
      </Text>
      <Group gap={8} mb={12}>
        <Button
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          loading={give.isPending}
          onClick={give.save}
        >
          {t('layers.export')}
        </Button>
        <FileButton accept=".json,application/json" onChange={(file) => void take.read(file)}>
          {(props) => (
            <Button {...props} leftSection={<IconUpload size={14} aria-hidden />} loading={take.isPending}>
              {t('layers.import')}
            </Button>
          )}
        </FileButton>
      </Group>
      {take.problem !== '' && (
        <Alert color="red" variant="light" mb={12} role="alert">
          {take.problem}
        </Alert>
      )}
      {layers.isLoadingError && <ErrorPanel error={layers.error} onRetry={() => void layers.refetch()} />}
      {layers.data?.length === 0 && (
        <EmptyState kind="nothing-yet" title={t('layers.none')} text={t('layers.noneText')} />
      )}
      {layers.data && layers.data.length > 0 && (
        <LayerTable
          layers={layers.data}
          onCompare={(layer) => {
            change({ against: `layer:${layer.layer_id}`, view: 'coverage' });
            onClose();
          }}
          onRemoved={(layer) => {
            if (link.against === `layer:${layer.layer_id}`) change({ against: '' });
          }}
        />
      )}
    </Dialog>
  );
}

/** Saves what the page shows as a layer. */
function useGiveLayer(link: AttackLink) {
  const { t } = useTranslation('attack');
  const { clusterId, scopeId } = useScope();
  const { mutate, isPending } = useCallMutation(exportLayer);
  const tab = link.view === 'signals' ? ('signals' as const) : ('coverage' as const);
  const save = () => {
    const day = new Date().toISOString().slice(0, 10);
    const name = t(`layers.names.${tab}`, { day });
    const input = { scope_id: scopeId, tab, days: link.days, addfilters: filtersOf(link), name };
    mutate(
      { params: { clusterId }, input },
      {
        onSuccess: ({ layer }) => {
          const text = JSON.stringify(layer, null, 2);
          saveFile(new Blob([text], { type: 'application/json' }), `attack-${tab}-${day}.json`);
        },
      },
    );
  };
  return { save, isPending };
}

/** Reads a file as a layer and keeps it. */
function useTakeLayer(onTaken: (layer: LayerItem) => void) {
  const { t } = useTranslation('attack');
  const { clusterId, scopeId } = useScope();
  const [problem, setProblem] = useState('');
  const { mutate, isPending } = useCallMutation(saveLayer, { stale: [listLayers], quiet: true });
  const read = async (file: File | null) => {
    if (!file) return;
    setProblem('');
    if (file.size > MOST_BYTES) return setProblem(t('layers.tooLarge'));
    const layer = navigatorLayerSchema.safeParse(await jsonOf(file));
    if (!layer.success) return setProblem(t('layers.unreadable', { file: file.name }));
    mutate(
      { params: { clusterId }, input: { scope_id: scopeId, layer: layer.data } },
      {
        onError: (error) => setProblem(serverText(error)),
        onSuccess: (kept) => {
          notify('done', t('layers.imported', { name: kept.name, techniques: kept.techniques }));
          onTaken(kept);
        },
      },
    );
  };
  return { read, problem, isPending };
}

async function jsonOf(file: File): Promise<unknown> {
  try {
    return JSON.parse(await file.text());
  } catch {
    return undefined;
  }
}

interface LayerTableProps {
  readonly layers: readonly LayerItem[];
  readonly onCompare: (layer: LayerItem) => void;
  readonly onRemoved: (layer: LayerItem) => void;
}

function LayerTable({ layers, onCompare, onRemoved }: LayerTableProps) {
  const { t } = useTranslation('attack');
  const { clusterId, scopeId } = useScope();
  const remove = useCallMutation(removeLayer, { stale: [listLayers] });
  const ask = (layer: LayerItem) =>
    askToConfirm({
      title: t('layers.removeTitle', { name: layer.name }),
      consequence: t('layers.removeText'),
      confirmLabel: t('layers.remove'),
      onConfirm: () =>
        remove.mutate(
          { params: { clusterId }, input: { scope_id: scopeId, layer_id: layer.layer_id } },
          { onSuccess: () => onRemoved(layer) },
        ),
    });
  return (
    <WideTable label={t('layers.title')} minWidth={520}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('layers.name')}</Table.Th>
          <Table.Th>{t('layers.techniques')}</Table.Th>
          <Table.Th>ATT&amp;CK</Table.Th>
          <Table.Th>{t('layers.created')}</Table.Th>
          <Table.Th aria-label={t('layers.acts')} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {layers.map((layer) => (
          <Table.Tr key={layer.layer_id}>
            <Table.Td>{layer.name}</Table.Td>
            <Table.Td>{layer.techniques}</Table.Td>
            <Table.Td>{layer.attack_version || '–'}</Table.Td>
            <Table.Td>
              {layer.author} · <TimeStamp time={layer.created} />
            </Table.Td>
            <Table.Td>
              <Group gap={4} wrap="nowrap" justify="end">
                <Button size="compact-xs" variant="default" onClick={() => onCompare(layer)}>
                  {t('layers.compare')}
                </Button>
                <IconButton label={t('layers.remove')} size={24} onClick={() => ask(layer)}>
                  <IconTrash size={14} />
                </IconButton>
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}
