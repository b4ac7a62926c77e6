import type { UseQueryResult } from '@tanstack/react-query';
import type { CaseGraph } from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EntityChip } from '../../ui/entity-chip.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { ScoreTile } from '../../ui/score-tile.tsx';
import { ScrollFrame } from '../../ui/scroll-frame.tsx';
import { type CaseFocus, entityKey, toggleEntity, toggleSignal } from './case-focus.ts';
import classes from './case-relations.module.css';
import { layOutRelations, type PlacedNode, RELATION_ROW } from './lay-out-relations.ts';

interface RelationsProps {
  readonly graph: UseQueryResult<CaseGraph>;
  readonly focus: CaseFocus;
  readonly onFocus: (focus: CaseFocus) => void;
}

/** Who did what to whom: suspects at the left, signals in the middle, targets at the right, joined by lines. */
export function CaseRelations({ graph, focus, onFocus }: RelationsProps) {
  const { t } = useTranslation('cases');
  if (graph.isLoadingError) return <ErrorPanel error={graph.error} onRetry={() => void graph.refetch()} />;
  if (!graph.data) return null;
  if (graph.data.nodes.length === 0) {
    return <EmptyState kind="nothing-yet" title={t('view.empty')} text={t('side.noSignalsText')} />;
  }
  return <RelationMap graph={graph.data} focus={focus} onFocus={onFocus} />;
}

interface RelationMapProps extends Omit<RelationsProps, 'graph'> {
  readonly graph: CaseGraph;
}

/** Three columns and the lines between them; what is selected is lit with all that it is joined to. */
export function RelationMap({ graph, focus, onFocus }: RelationMapProps) {
  const { t } = useTranslation('cases');
  const layout = useMemo(() => layOutRelations(graph), [graph]);
  const lit = litNodes(layout.nodes, layout.edges, focus);
  const isDimmed = (id: string) => lit !== null && !lit.has(id);
  return (
    <ScrollFrame label={t('view.graph')} className={classes.scroll}>
      <div className={classes.heads} aria-hidden>
        <span>{t('view.suspects')}</span>
        <span>{t('list.signals')}</span>
        <span>{t('view.targets')}</span>
      </div>
      <div className={classes.stage} style={{ height: layout.height }}>
        <svg
          className={classes.lines}
          viewBox={`0 0 100 ${layout.height}`}
          preserveAspectRatio="none"
          aria-hidden
        >
          {layout.edges.map((edge) => (
            <path
              key={`${edge.from}|${edge.to}|${edge.role}`}
              d={edge.path}
              className={classes.line}
              data-role={edge.role}
              data-dim={isDimmed(edge.from) || isDimmed(edge.to) || undefined}
            />
          ))}
        </svg>
        {layout.nodes.map((node) => (
          <div
            key={node.id}
            className={classes.node}
            data-column={node.column}
            data-dim={isDimmed(node.id) || undefined}
            style={{ top: node.y - RELATION_ROW / 2 }}
          >
            <RelationNode node={node} focus={focus} onFocus={onFocus} />
          </div>
        ))}
      </div>
    </ScrollFrame>
  );
}

interface NodeProps {
  readonly node: PlacedNode;
  readonly focus: CaseFocus;
  readonly onFocus: (focus: CaseFocus) => void;
}

function RelationNode({ node, focus, onFocus }: NodeProps) {
  if (node.kind === 'entity') {
    const key = entityKey({ type: node.type, value: node.label });
    const part = node.role === 'signal' ? undefined : node.role;
    return (
      <EntityChip
        type={node.type}
        value={node.label}
        part={part}
        onClick={() => onFocus(toggleEntity(focus, key))}
      />
    );
  }
  return (
    <button
      type="button"
      className={classes.signal}
      aria-pressed={focus.signalId === node.signalId}
      title={node.label}
      onClick={() => onFocus(toggleSignal(focus, node.signalId))}
    >
      <ScoreTile score={node.score} />
      <span className={classes.label}>{node.label}</span>
    </button>
  );
}

/** The nodes that the focus lights: itself and what it is joined to; null when nothing is selected. */
function litNodes(
  nodes: readonly PlacedNode[],
  edges: readonly { readonly from: string; readonly to: string }[],
  focus: CaseFocus,
): ReadonlySet<string> | null {
  const chosen = nodes.filter((node) =>
    node.kind === 'signal'
      ? node.signalId === focus.signalId
      : entityKey({ type: node.type, value: node.label }) === focus.entityKey,
  );
  if (chosen.length === 0) return null;
  const lit = new Set(chosen.map((node) => node.id));
  for (const edge of edges) {
    if (chosen.some((node) => node.id === edge.from)) lit.add(edge.to);
    if (chosen.some((node) => node.id === edge.to)) lit.add(edge.from);
  }
  return lit;
}
