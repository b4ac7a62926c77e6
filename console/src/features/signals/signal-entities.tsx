import { IconArrowRight } from '@tabler/icons-react';
import type { Signal } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { actorsFirst } from '../../lib/actors-first.ts';
import { EntityChip } from '../../ui/entity-chip.tsx';
import type { EntityFilter } from './signal-link.ts';
import styles from './signals-page.module.css';

interface SignalEntitiesProps {
  readonly signal: Pick<Signal, 'suspects' | 'targets'>;
  /** Chips per side; the rest is a number. */
  readonly most?: number;
  readonly onEntity?: (entity: EntityFilter) => void;
}

/** Suspect → target, as chips; a click on one filters by it. */
export function SignalEntities({ signal, most = 20, onEntity }: SignalEntitiesProps) {
  const { t } = useTranslation('signals');
  const side = (role: EntityFilter['role'], named: Signal['suspects']) => {
    const entities = actorsFirst(named);
    const rest = entities.slice(most);
    return (
      <>
        {entities.slice(0, most).map((entity) => (
          <EntityChip
            key={`${entity.type} ${entity.value}`}
            {...entity}
            part={role}
            onClick={onEntity && (() => onEntity({ role, ...entity, keep: true }))}
          />
        ))}
        {rest.length > 0 && (
          <span className={styles.rest} title={rest.map((entity) => entity.value).join('\n')}>
            +{rest.length}
          </span>
        )}
      </>
    );
  };
  return (
    <span className={styles.entities}>
      {side('suspect', signal.suspects)}
      {signal.suspects.length > 0 && signal.targets.length > 0 && (
        <IconArrowRight size={13} aria-label={t('entities.to')} />
      )}
      {side('target', signal.targets)}
    </span>
  );
}
