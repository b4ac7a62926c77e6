import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { SearchInput } from '../../ui/search-input.tsx';
import styles from './pick-list.module.css';

// A list to choose from, with a filter above it. Everything is done by keys: the arrows go from the filter into the
// list and through it, Enter takes an entry, Shift+Enter runs it, Delete removes it.

interface PickListProps<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** Names the list for screen readers. */
  readonly label: string;
  /** Heading above the first of several entries; entries of one group stand together. */
  readonly groupOf?: (item: T) => string;
  readonly children: (item: T) => ReactNode;
  /** Buttons at the right of an entry. */
  readonly actions?: (item: T) => ReactNode;
  readonly onTake: (item: T) => void;
  readonly onRun?: (item: T) => void;
  readonly onRemove?: (item: T) => void;
  /** What stands there when there is nothing to choose from. */
  readonly empty: ReactNode;
  readonly filter?: {
    readonly value: string;
    readonly label: string;
    readonly onChange: (text: string) => void;
  };
  /** Behind the last entry, e.g. a way to older ones. */
  readonly more?: ReactNode;
}

const isRunKey = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && (event.shiftKey || event.ctrlKey || event.metaKey);

export function PickList<T>(props: PickListProps<T>) {
  const { items, keyOf, label, groupOf, filter, onTake, onRun, onRemove } = props;
  const list = useRef<HTMLUListElement>(null);
  const field = useRef<HTMLDivElement>(null);
  // Opened by a key, it is ready for the next one.
  useEffect(() => field.current?.querySelector('input')?.focus(), []);
  const buttons = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-pick]') ?? [])];
  const goTo = (index: number) => {
    const all = buttons();
    if (index < 0) field.current?.querySelector('input')?.focus();
    else all[Math.min(index, all.length - 1)]?.focus();
  };
  const onFilterKey = (event: KeyboardEvent) => {
    const [first] = items;
    if (event.key === 'ArrowDown') goTo(0);
    else if (first !== undefined && isRunKey(event) && onRun) onRun(first);
    else if (first !== undefined && event.key === 'Enter') onTake(first);
    else return;
    event.preventDefault();
  };
  const onItemKey = (event: KeyboardEvent, item: T, index: number) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: items.length - 1,
    };
    const step = steps[event.key];
    if (step !== undefined) goTo(step);
    else if (isRunKey(event) && onRun) onRun(item);
    else if (event.key === 'Delete' && onRemove) {
      onRemove(item);
      goTo(Math.max(0, index - 1));
    } else return;
    event.preventDefault();
  };
  return (
    <div className={styles.picker}>
      {filter && (
        <div ref={field} className={styles.filter}>
          <SearchInput
            value={filter.value}
            onChange={filter.onChange}
            label={filter.label}
            width="100%"
            onKeyDown={onFilterKey}
          />
        </div>
      )}
      {items.length === 0 ? (
        <div className={styles.none}>{props.empty}</div>
      ) : (
        <ul ref={list} className={styles.list} aria-label={label}>
          {items.map((item, index) => {
            const group = groupOf?.(item) ?? '';
            const before = items[index - 1];
            const isFirst = group !== '' && (before === undefined || groupOf?.(before) !== group);
            return (
              <li key={keyOf(item)}>
                {isFirst && <h3 className={styles.group}>{group}</h3>}
                <div className={styles.item}>
                  <button
                    type="button"
                    data-pick
                    className={styles.choose}
                    onClick={() => onTake(item)}
                    onKeyDown={(event) => onItemKey(event, item, index)}
                  >
                    {props.children(item)}
                  </button>
                  <span className={styles.actions}>{props.actions?.(item)}</span>
                </div>
              </li>
            );
          })}
          {props.more && <li className={styles.more}>{props.more}</li>}
        </ul>
      )}
    </div>
  );
}
