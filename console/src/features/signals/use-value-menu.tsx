import { IconDots } from '@tabler/icons-react';
import type { Signal } from '@tyrian/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { kqlName } from '../../query-kit/editor/kql-literal.ts';
import { type OpenMenu, ValueMenu } from '../../query-kit/results/value-menu.tsx';
import type { ValueTarget } from '../../query-kit/results/value-target.ts';
import { columnType } from './field-order.ts';
import styles from './signal-flyout.module.css';
import { useSignalWays } from './use-signal-ways.ts';

/** The menu that Find has on a value, for the values of a signal: copy, copy as a condition, search its events. */
export function useValueMenu(signal: Pick<Signal, 'first_time' | 'last_time'>) {
  const ways = useSignalWays();
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const element = (
    <ValueMenu
      open={menu}
      onClose={() => setMenu(null)}
      onSearchFor={(target) => ways.search(String(target.value ?? ''), signal)}
    />
  );
  return { element, open: (target: ValueTarget, point: OpenMenu['point']) => setMenu({ target, point }) };
}

interface ValueWithMenuProps {
  readonly field: string;
  readonly value: string;
  readonly onMenu: (target: ValueTarget, point: OpenMenu['point']) => void;
  readonly children: ReactNode;
}

/** A value with the button of its menu; the right button opens it too. */
export function ValueWithMenu({ field, value, onMenu, children }: ValueWithMenuProps) {
  const { t } = useTranslation('search');
  const column = { name: field, type: columnType(field), reference: kqlName(field) };
  return (
    <div
      role="group"
      className={styles.value}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu({ column, value }, { x: event.clientX, y: event.clientY });
      }}
    >
      <span>{children}</span>
      <button
        type="button"
        className={styles.more}
        aria-label={t('values.actions', { field })}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          onMenu({ column, value }, { x: box.left, y: box.bottom });
        }}
      >
        <IconDots size={14} aria-hidden />
      </button>
    </div>
  );
}
