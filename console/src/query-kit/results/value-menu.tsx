import { Menu } from '@mantine/core';
import {
  IconClipboard,
  IconClockSearch,
  IconCode,
  IconFilterMinus,
  IconFilterPlus,
  IconSearch,
  IconTableColumn,
} from '@tabler/icons-react';
import { type ComponentType, Fragment, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../../ui/copy-text.ts';
import { conditionText } from '../editor/kql-text-edit.ts';
import { rawText } from './result-value.ts';
import { conditionOf, type MenuPoint, type ValueTarget } from './value-target.ts';

// The one menu of a value, whether it was opened by the right button, by the dots or by a key.

export interface OpenMenu {
  readonly target: ValueTarget;
  readonly point: MenuPoint;
}

export interface ValueActions {
  /** Absent where the query can't be changed. */
  readonly onFilter?: (target: ValueTarget, keep: boolean) => void;
  /** Events of all streams that hold this value anywhere. */
  readonly onSearchFor?: (target: ValueTarget) => void;
  /** All events around the time of the row; absent when the row has no time. */
  readonly onSearchAround?: (target: ValueTarget) => void;
  readonly onAddColumn?: (name: string) => void;
}

interface ValueMenuProps extends ValueActions {
  readonly open: OpenMenu | null;
  readonly onClose: () => void;
}

interface MenuEntry {
  readonly key: string;
  readonly icon: ComponentType<{ size?: number }>;
  readonly isOff?: boolean;
  readonly work: () => void;
}

/** The point that the menu opens at: nothing to see, nothing to reach. */
const ANCHOR = { position: 'fixed', width: 0, height: 0, padding: 0, border: 0 } as const;

/** What can be done with a value, in groups; what the page can't do is left out. */
function entriesFor(target: ValueTarget, actions: ValueActions): MenuEntry[][] {
  const { onFilter, onSearchFor, onSearchAround, onAddColumn } = actions;
  const isEmpty = rawText(target.value) === '';
  const groups: (MenuEntry | undefined)[][] = [
    [
      onFilter && { key: 'filterIn', icon: IconFilterPlus, work: () => onFilter(target, true) },
      onFilter && { key: 'filterOut', icon: IconFilterMinus, work: () => onFilter(target, false) },
    ],
    [
      { key: 'copy', icon: IconClipboard, isOff: isEmpty, work: () => void copyText(rawText(target.value)) },
      {
        key: 'copyCondition',
        icon: IconCode,
        work: () => void copyText(conditionText(conditionOf(target, true))),
      },
    ],
    [
      onSearchFor && { key: 'searchFor', icon: IconSearch, isOff: isEmpty, work: () => onSearchFor(target) },
      onSearchAround && { key: 'searchAround', icon: IconClockSearch, work: () => onSearchAround(target) },
      onAddColumn && { key: 'addColumn', icon: IconTableColumn, work: () => onAddColumn(target.column.name) },
    ],
  ];
  return groups
    .map((group) => group.filter((each) => each !== undefined))
    .filter((group) => group.length > 0);
}

export function ValueMenu({ open, onClose, ...actions }: ValueMenuProps) {
  const { t } = useTranslation('search');
  const target = open?.target;
  const before = useRef<HTMLElement | null>(null);
  // Whoever came by key goes on where they were; the point that the menu opens at is no place to be.
  useLayoutEffect(() => {
    if (open === null) return undefined;
    before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    return () => before.current?.focus({ preventScroll: true });
  }, [open]);
  return (
    <Menu
      opened={open !== null}
      onClose={onClose}
      position="bottom-start"
      withinPortal
      returnFocus={false}
      trapFocus
      width={290}
      key={open ? `${open.point.x},${open.point.y}` : 'closed'}
    >
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          aria-hidden
          style={{ ...ANCHOR, left: open?.point.x ?? 0, top: open?.point.y ?? 0 }}
        />
      </Menu.Target>
      {target && (
        <Menu.Dropdown aria-label={t('values.actions', { field: target.column.name })}>
          {entriesFor(target, actions).map((group, index) => (
            <Fragment key={group[0]?.key}>
              {index > 0 && <Menu.Divider />}
              {group.map(({ key, icon: Icon, isOff, work }) => (
                <Menu.Item key={key} leftSection={<Icon size={14} />} disabled={isOff} onClick={work}>
                  {t(`values.${key}`)}
                </Menu.Item>
              ))}
            </Fragment>
          ))}
        </Menu.Dropdown>
      )}
    </Menu>
  );
}
