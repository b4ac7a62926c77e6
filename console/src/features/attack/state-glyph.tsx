import {
  IconCircleDashed,
  IconCircleFilled,
  IconCircleOff,
  IconEyeOff,
  IconShieldCheck,
} from '@tabler/icons-react';
import type { AttackState } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import styles from './attack.module.css';

const ICONS = {
  none: IconCircleDashed,
  off: IconCircleOff,
  blind: IconEyeOff,
  on: IconCircleFilled,
  proven: IconShieldCheck,
} as const satisfies Record<AttackState, unknown>;

/** A state as a form in a colour; beside its word where it stands alone. */
export function StateGlyph({ state, size = 13 }: { readonly state: AttackState; readonly size?: number }) {
  const Icon = ICONS[state];
  return (
    <span className={styles.glyph} data-state={state}>
      <Icon size={state === 'on' ? size - 3 : size} aria-hidden />
    </span>
  );
}

export function StateWord({ state }: { readonly state: AttackState }) {
  const { t } = useTranslation('attack');
  return (
    <span className={styles.word}>
      <StateGlyph state={state} />
      {t(`states.${state}`)}
    </span>
  );
}
