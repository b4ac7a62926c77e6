import { Box } from '@mantine/core';
import {
  IconArrowDownRight,
  IconArrowUpRight,
  IconChevronDown,
  IconChevronRight,
  IconTarget,
} from '@tabler/icons-react';
import {
  ATTACK_STATES,
  type AttackCell,
  type AttackMatrix,
  type AttackTechnique,
  type attackComparison,
  isWatched,
  type OutputOf,
} from '@tyrian/contract';
import { type CSSProperties, type KeyboardEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { AttackLink, ChangeAttackLink } from './attack-link.ts';
import styles from './attack-matrix.module.css';
import { moveFocus } from './move-focus.ts';
import { StateGlyph } from './state-glyph.tsx';

type Comparison = OutputOf<typeof attackComparison>;
type Difference = Comparison['techniques'][number];

interface AttackMatrixViewProps {
  readonly matrix: AttackMatrix;
  readonly link: AttackLink;
  readonly change: ChangeAttackLink;
  readonly comparison: Comparison | undefined;
}

/** A column for each tactic, a cell for each technique; arrow keys walk over the cells. */
export function AttackMatrixView({ matrix, link, change, comparison }: AttackMatrixViewProps) {
  const { t } = useTranslation('attack');
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const differences = useMemo(
    () => comparison && new Map(comparison.techniques.map((one) => [one.id, one])),
    [comparison],
  );
  const columns = matrix.tactics.filter(({ techniques }) => techniques.length > 0);
  const most = Math.max(
    1,
    ...columns.flatMap(({ techniques }) => techniques.map(({ signal_count }) => signal_count)),
  );
  const first = columns[0]?.techniques[0]?.id;
  if (columns.length === 0) return <EmptyState kind="filtered-out" title={t('noMatch')} />;
  const toggle = (id: string) =>
    setOpened((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (moveFocus(event.currentTarget, event.key)) event.preventDefault();
  };
  return (
    <Box className={styles.matrix} onKeyDown={onKeyDown} data-columns={columns.length}>
      {columns.map((tactic) => (
        <section key={tactic.id} className={styles.column} aria-label={tactic.name} data-column>
          <header className={styles.tactic}>
            <h2>{tactic.name}</h2>
            <span className={styles.count}>
              {t('watchedOf', {
                active: tactic.techniques.filter(({ state }) => isWatched(state)).length,
                total: tactic.techniques.length,
              })}
            </span>
          </header>
          <ul className={styles.cells}>
            {tactic.techniques.map((technique) => (
              <TechniqueRow
                key={technique.id}
                {...{ technique, link, change, differences, most }}
                isFirst={tactic === columns[0] && technique.id === first}
                isOpen={link.subs || opened.has(technique.id)}
                onToggle={() => toggle(technique.id)}
              />
            ))}
          </ul>
        </section>
      ))}
    </Box>
  );
}

interface TechniqueRowProps extends Pick<AttackMatrixViewProps, 'link' | 'change'> {
  readonly technique: AttackTechnique;
  readonly differences: ReadonlyMap<string, Difference> | undefined;
  readonly most: number;
  readonly isFirst: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function TechniqueRow({ technique, isOpen, isFirst, onToggle, ...rest }: TechniqueRowProps) {
  const { t } = useTranslation('attack');
  const { sub, ...cell } = technique;
  // A difference of a sub-technique that is folded away shows at its technique.
  const hidden = isOpen ? undefined : sub.find(({ id }) => rest.differences?.has(id));
  return (
    <li>
      <div className={styles.row}>
        <Cell {...rest} cell={cell} isFirst={isFirst} folded={hidden?.id} />
        {sub.length > 0 && (
          <button
            type="button"
            tabIndex={-1}
            className={styles.caret}
            aria-expanded={isOpen}
            aria-label={t('subs.of', { technique: technique.id, subs: sub.length })}
            onClick={onToggle}
            disabled={rest.link.subs}
          >
            {isOpen ? <IconChevronDown size={13} aria-hidden /> : <IconChevronRight size={13} aria-hidden />}
          </button>
        )}
      </div>
      {isOpen && sub.length > 0 && (
        <ul className={styles.subs}>
          {sub.map((one) => (
            <li key={one.id}>
              <Cell {...rest} cell={one} isFirst={false} folded={undefined} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

interface CellProps extends Pick<TechniqueRowProps, 'link' | 'change' | 'differences' | 'most' | 'isFirst'> {
  readonly cell: AttackCell;
  /** A sub-technique that differs and is folded away. */
  readonly folded: string | undefined;
}

function Cell({ cell, link, change, differences, most, isFirst, folded }: CellProps) {
  const { t } = useTranslation('attack');
  const { id, name, state, active, total, signal_count: signals } = cell;
  const difference = differences?.get(id) ?? (folded ? differences?.get(folded) : undefined);
  const isSignals = link.view === 'signals';
  const label = isSignals
    ? t('cellSignals', { id, name, signals })
    : t('cellRules', { id, name, state: t(`states.${state}`), active, total });
  return (
    <button
      type="button"
      data-cell
      className={styles.cell}
      data-state={isSignals ? undefined : state}
      data-named={differences ? difference !== undefined : undefined}
      aria-pressed={link.technique === id}
      tabIndex={isFirst || link.technique === id ? 0 : -1}
      style={isSignals ? heatOf(signals, most) : undefined}
      title={label}
      aria-label={[label, difference && differenceText(t, difference)].filter(Boolean).join(', ')}
      onClick={() => change({ technique: link.technique === id ? '' : id })}
    >
      {!isSignals && <StateGlyph state={state} />}
      <span className={styles.name}>
        <span className={styles.id}>{id}</span> {name}
      </span>
      {difference && <DifferenceMark difference={difference} />}
      <span className={styles.count}>
        {isSignals ? signals || '' : total > 0 ? `${active}/${total}` : ''}
      </span>
    </button>
  );
}

/** The more signals, the stronger the colour; by roots, so that few can be told from none. */
const heatOf = (signals: number, most: number): CSSProperties | undefined =>
  signals === 0
    ? undefined
    : ({ '--heat': `${Math.round(10 + 35 * Math.sqrt(signals / most))}%` } as CSSProperties);

type T = ReturnType<typeof useTranslation<'attack'>>['t'];

const differenceText = (t: T, { before, now }: Difference): string =>
  before === null
    ? t('compare.isNamed')
    : t('compare.changed', { before: t(`states.${before}`), now: t(`states.${now}`) });

function DifferenceMark({ difference }: { readonly difference: Difference }) {
  const { before, now } = difference;
  if (before === null) return <IconTarget size={13} className={styles.named} aria-hidden />;
  const isBetter = ATTACK_STATES.indexOf(now) > ATTACK_STATES.indexOf(before);
  return isBetter ? (
    <IconArrowUpRight size={13} className={styles.better} aria-hidden />
  ) : (
    <IconArrowDownRight size={13} className={styles.worse} aria-hidden />
  );
}
