import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type CaseGraph, type OutputOf, signalGraphData } from '@tyrian/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callQuery } from '../../lib/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { SignalAttribution } from '../attack/public.ts';
import { NO_FOCUS, RelationMap } from '../cases/public.ts';
import styles from './signals-page.module.css';
import type { useSignalQueue } from './use-signal-queue.ts';

interface SignalGraphViewProps {
  readonly queue: ReturnType<typeof useSignalQueue>;
  /** Only these; empty: all of the view, range and filters. */
  readonly signalIds: readonly string[];
  readonly onOpen: (signalId: string) => void;
}

/** How the signals of the queue hang together by their suspects and targets; a signal opens its flyout. */
export function SignalGraphView({ queue, signalIds, onOpen }: SignalGraphViewProps) {
  const { t } = useTranslation('signals');
  const [focus, setFocus] = useState(NO_FOCUS);
  const input = signalIds.length > 0 ? { ...queue.selection, signal_ids: [...signalIds] } : queue.selection;
  const graph = useQuery(
    callQuery(signalGraphData, input, { params: { clusterId: queue.clusterId }, keep: true, quiet: true }),
  );
  const shown = useMemo(() => graph.data && relationsOf(graph.data), [graph.data]);
  if (graph.isLoadingError) return <ErrorPanel error={graph.error} onRetry={() => void graph.refetch()} />;
  if (!graph.data || !shown) return null;
  const more = graph.data.nodes.filter((node) => node.type === 'signal' && !node.selected).length;
  return (
    <div className={styles.graph}>
      <Group justify="space-between" px={20} py={6}>
        <Text size="xs" c="dimmed">
          {graph.data.truncated
            ? t('graph.truncated')
            : more > 0
              ? t('graph.connected', { count: more })
              : null}
        </Text>
        <GraphAttribution
          signalIds={graph.data.nodes
            .filter(({ type, selected }) => type === 'signal' && selected)
            .map(({ id }) => id)}
        />
      </Group>
      <RelationMap
        graph={shown}
        focus={focus}
        onFocus={(next) => {
          setFocus(next);
          if (next.signalId !== null) onOpen(next.signalId);
        }}
      />
    </div>
  );
}

/** Signals that are asked about at once. */
const MOST_ASKED = 500;

/** Groups and campaigns known for what the signals of the graph found. */
function GraphAttribution({ signalIds }: { readonly signalIds: readonly string[] }) {
  const { t } = useTranslation('signals');
  const [isOpen, setOpen] = useState(false);
  if (signalIds.length === 0) return null;
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={() => setOpen(true)}>
        {t('graph.attribution')}
      </Button>
      {isOpen && (
        <Dialog title={t('graph.attribution')} onClose={() => setOpen(false)}>
          <SignalAttribution signalIds={signalIds.slice(0, MOST_ASKED)} />
        </Dialog>
      )}
    </>
  );
}

type SignalGraph = OutputOf<typeof signalGraphData>;

/** The graph in the form of the map. An entity on both sides is compromised. */
function relationsOf({ nodes, edges }: SignalGraph): CaseGraph {
  const signals = new Set(nodes.filter((node) => node.type === 'signal').map((node) => node.id));
  return {
    nodes: nodes.map(({ id, type, label, role, score }) => ({
      id,
      kind: type === 'signal' ? 'signal' : 'entity',
      type,
      label,
      role: role === 'compromised' ? 'both' : role,
      score: score ?? 0,
    })),
    edges: edges.map((edge) => ({ ...edge, role: signals.has(edge.to) ? 'suspect' : 'target' })),
  };
}
