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
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { conditionText } from './kql-text-edit.ts';
import { copyText } from './result-value.ts';
import { conditionOf, type MenuPoint, type ValueTarget } from './value-target.ts';

// The one menu of a value, whether it was opened by the right button, by the dots or by a key.

export interface OpenMenu {
  readonly target: ValueTarget;
  readonly point: MenuPoint;
}

export interface ValueActions {
  readonly onFilter: (target: ValueTarget, keep: boolean) => void;
  /** Events of all streams that hold this value anywhere. */
  readonly onSearchFor: (target: ValueTarget) => void;
  /** All events around the time of the row; absent when the row has no time. */
  readonly onSearchAround?: (target: ValueTarget) => void;
  readonly onAddColumn?: (name: string) => void;
}

interface ValueMenuProps extends ValueActions {
  readonly open: OpenMenu | null;
  readonly onClose: () => void;
}

/** Copies a text and says so. */
export async function copyToClipboard(text: string, done: string, failed: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify('done', done);
  } catch {
    notify('failed', failed);
  }
}

export function ValueMenu({ open, onClose, ...actions }: ValueMenuProps) {
  const { t } = useTranslation('search');
  const target = open?.target;
  const copy = (text: string) => void copyToClipboard(text, t('values.copied'), t('values.copyFailed'));
  const has = target !== undefined && copyText(target.value) !== '';
  return (
    <Menu
      opened={open !== null}
      onClose={onClose}
      position="bottom-start"
      withinPortal
      returnFocus
      trapFocus
      width={240}
      key={open ? `${open.point.x},${open.point.y}` : 'closed'}
    >
      <Menu.Target>
        <span style={{ position: 'fixed', left: open?.point.x ?? 0, top: open?.point.y ?? 0 }} />
      </Menu.Target>
      {target && (
        <Menu.Dropdown aria-label={t('values.actions', { field: target.column.name })}>
          <Menu.Item
            leftSection={<IconFilterPlus size={14} />}
            onClick={() => actions.onFilter(target, true)}
          >
            {t('values.filterIn')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconFilterMinus size={14} />}
            onClick={() => actions.onFilter(target, false)}
          >
            {t('values.filterOut')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconClipboard size={14} />}
            disabled={!has}
            onClick={() => copy(copyText(target.value))}
          >
            {t('values.copy')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCode size={14} />}
            onClick={() => copy(conditionText(conditionOf(target, true)))}
          >
            {t('values.copyCondition')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconSearch size={14} />}
            disabled={!has}
            onClick={() => actions.onSearchFor(target)}
          >
            {t('values.searchFor')}
          </Menu.Item>
          {actions.onSearchAround && (
            <Menu.Item
              leftSection={<IconClockSearch size={14} />}
              onClick={() => actions.onSearchAround?.(target)}
            >
              {t('values.searchAround')}
            </Menu.Item>
          )}
          {actions.onAddColumn && (
            <Menu.Item
              leftSection={<IconTableColumn size={14} />}
              onClick={() => actions.onAddColumn?.(target.column.name)}
            >
              {t('values.addColumn')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      )}
    </Menu>
  );
}
