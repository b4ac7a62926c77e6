import { Kbd, Loader, Modal } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { groupItems, matchItems, type PaletteItem } from '../features/global-search/palette-item.ts';
import { useAdministeredItems } from '../features/global-search/use-administered-items.ts';
import { useFoundItems } from '../features/global-search/use-found-items.ts';
import classes from './command-palette.module.css';
import { useEventItem, useFixedItems, useScopeItems } from './use-palette-items.ts';

// One field from which everything is reached: pages, actions, cases, signals, workbooks, entities, places. The field
// keeps the focus; the arrows move through the list below it (the combobox pattern of ARIA).

interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onShowKeys: () => void;
}

export function CommandPalette({ isOpen, onClose, onShowKeys }: PaletteProps) {
  const { t } = useTranslation('app');
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      yOffset="10vh"
      size={620}
      padding={0}
      attributes={{ content: { 'aria-label': t('palette.title') } }}
      // Without a transition the field stands, and has the focus, before the next key is typed.
      transitionProps={{ duration: 0 }}
    >
      <Palette onClose={onClose} onShowKeys={onShowKeys} />
    </Modal>
  );
}

function Palette({ onClose, onShowKeys }: Omit<PaletteProps, 'isOpen'>) {
  const { t } = useTranslation('app');
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const id = useId();
  const inScope = useFoundItems(typed);
  const administered = useAdministeredItems(typed);
  const isSearching = inScope.isSearching || administered.isSearching;
  const found = useMemo(() => [...inScope.items, ...administered.items], [inScope.items, administered.items]);
  const groups = useGroups(typed, found, onShowKeys);
  const items = groups.flat();
  const at = Math.min(active, Math.max(0, items.length - 1));
  const run = (item: PaletteItem | undefined) => {
    if (!item) return;
    onClose();
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = movedBy(event.key, at, items.length);
    if (next !== null) setActive(next);
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) run(items[at]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className={classes.field}>
        <IconSearch size={18} aria-hidden />
        <input
          ref={takeFocus}
          className={classes.input}
          role="combobox"
          aria-expanded
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={items[at] ? `${id}-${at}` : undefined}
          aria-label={t('palette.title')}
          placeholder={t('palette.placeholder')}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
          data-autofocus
        />
        {isSearching ? <Loader size={14} /> : <Kbd size="xs">Esc</Kbd>}
      </div>
      <div id={`${id}-list`} className={classes.list} role="listbox" aria-label={t('palette.results')}>
        <Groups groups={groups} id={id} active={at} onRun={run} onActive={setActive} />
      </div>
      <div className={classes.state} role="status">
        {inScope.isFailed || administered.isFailed ? t('palette.failed') : null}
        {items.length === 0 && !isSearching ? t('palette.none', { text: typed }) : null}
      </div>
    </>
  );
}

function useGroups(typed: string, found: readonly PaletteItem[], onShowKeys: () => void) {
  const fixed = useFixedItems(onShowKeys);
  const places = useScopeItems();
  const events = useEventItem(typed);
  return useMemo(() => {
    if (typed.trim() === '') return groupItems(fixed);
    return groupItems([
      ...matchItems(fixed, typed),
      ...found,
      ...events,
      ...matchItems(places, typed).slice(0, 12),
    ]);
  }, [typed, found, fixed, places, events]);
}

interface GroupsProps {
  readonly groups: readonly (readonly PaletteItem[])[];
  readonly id: string;
  readonly active: number;
  readonly onRun: (item: PaletteItem) => void;
  readonly onActive: (index: number) => void;
}

/** At once, not a tick later as the frame around would: quick hands type on after Ctrl+K. */
const takeFocus = (field: HTMLInputElement | null): void => field?.focus();

/** Called when a row becomes the chosen one. */
const bringIntoView = (row: HTMLElement | null): void => row?.scrollIntoView?.({ block: 'nearest' });

function Groups({ groups, id, active, onRun, onActive }: GroupsProps) {
  const { t } = useTranslation('app');
  const starts = groups.map((_, index) => groups.slice(0, index).flat().length);
  return groups.map((items, group) => {
    const name = items[0]?.group ?? '';
    return (
      <div key={name} role="group" aria-label={t(`palette.groups.${name}`)}>
        <div className={classes.caption} aria-hidden>
          {t(`palette.groups.${name}`)}
        </div>
        {items.map((item, index) => {
          const position = (starts[group] ?? 0) + index;
          const isActive = position === active;
          const Icon = item.icon;
          return (
            <div
              key={item.id}
              ref={isActive ? bringIntoView : undefined}
              id={`${id}-${position}`}
              role="option"
              tabIndex={-1}
              aria-selected={isActive}
              className={classes.item}
              onClick={() => onRun(item)}
              onMouseMove={() => position !== active && onActive(position)}
            >
              <Icon size={16} stroke={1.6} aria-hidden />
              <span className={classes.title}>{item.title}</span>
              {item.hint ? <span className={classes.hint}>{item.hint}</span> : null}
            </div>
          );
        })}
      </div>
    );
  });
}

/** Where a key leads in a list of `count`; the ends are joined. Null when the key does not move. */
function movedBy(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at - 1 + count) % count;
  if (key === 'PageDown') return Math.min(count - 1, at + 8);
  if (key === 'PageUp') return Math.max(0, at - 8);
  return null;
}
