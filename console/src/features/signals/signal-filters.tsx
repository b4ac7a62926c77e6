import { Button, Menu } from '@mantine/core';
import { IconFilter, IconFilterMinus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import { type FilterChip, FilterChips } from '../../ui/filter-chips.tsx';
import { useTechniqueNames } from '../workbooks/public.ts';
import {
  FILTER_KEYS,
  type FilterKey,
  flipFilter,
  type SignalLink,
  setFilter,
  setWithout,
  toggleEntity,
  toggleFilter,
  toggleWithout,
  withoutFilters,
} from './signal-link.ts';
import styles from './signals-page.module.css';
import type { SignalFacets } from './use-signal-queue.ts';

interface SignalFiltersProps {
  readonly link: SignalLink;
  readonly facets: SignalFacets | undefined;
  readonly change: (next: Partial<SignalLink>) => void;
}

/** The values that occur, with counts, per filter. */
export function SignalFilterMenu({ link, facets, change }: SignalFiltersProps) {
  const { t } = useTranslation('signals');
  const { locale } = useSettings();
  const valuesOf = (key: FilterKey) => {
    const known = facets?.filters[key] ?? [];
    const named = [...(link.filters[key] ?? []), ...(link.without[key] ?? [])];
    const chosen = named.filter((value) => !known.some((each) => each.value === value));
    return [...known, ...chosen.map((value) => ({ value, count: 0 }))];
  };
  const label = useFilterLabel();
  const keys = FILTER_KEYS.filter((key) => valuesOf(key).length > 0);
  return (
    <Menu closeOnItemClick={false} position="bottom-start" withinPortal width={340}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconFilter size={14} />} disabled={keys.length === 0}>
          {t('filter.button')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflow: 'auto' }}>
        {keys.map((key) => (
          <div key={key}>
            <Menu.Label>{t(`filter.${key}`)}</Menu.Label>
            {valuesOf(key).map(({ value, count }) => (
              <div key={value} className={styles.filterValue}>
                <Menu.CheckboxItem
                  checked={link.filters[key]?.includes(value) ?? false}
                  onChange={() =>
                    change(toggleFilter(setWithout(link, key, others(link, key, value)), key, value))
                  }
                  rightSection={formatInteger(count, locale)}
                >
                  {label(key, value)}
                </Menu.CheckboxItem>
                <Menu.Item
                  className={styles.leaveOut}
                  data-on={link.without[key]?.includes(value) || undefined}
                  aria-label={t(link.without[key]?.includes(value) ? 'filter.takeBack' : 'filter.leaveOut', {
                    value: label(key, value),
                  })}
                  title={t(link.without[key]?.includes(value) ? 'filter.takeBack' : 'filter.leaveOut', {
                    value: label(key, value),
                  })}
                  onClick={() => change(toggleWithout(link, key, value))}
                >
                  <IconFilterMinus size={14} aria-hidden />
                </Menu.Item>
              </div>
            ))}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const others = (link: SignalLink, key: FilterKey, value: string): readonly string[] =>
  (link.without[key] ?? []).filter((each) => each !== value);

/** A value of a filter as it is shown: techniques with their names. */
function useFilterLabel(): (key: FilterKey, value: string) => string {
  const { t } = useTranslation('signals');
  const nameOf = useTechniqueNames();
  return (key, value) => (value === '' ? t('filter.none') : key === 'technique' ? nameOf(value) : value);
}

/** What is filtered, as sentences, each with its way out. */
export function SignalFilterChips({ link, change }: Omit<SignalFiltersProps, 'facets'>) {
  const { t } = useTranslation('signals');
  const label = useFilterLabel();
  const chipOf = (key: FilterKey, values: readonly string[] | undefined, keep: boolean): FilterChip[] =>
    values
      ? [
          {
            id: `${keep ? '+' : '-'}${key}`,
            field: t(`filter.${key}`),
            relation: t(keep ? 'filter.is' : 'filter.isNot'),
            values: values.map((each) => label(key, each)),
            onFlip: () => change(flipFilter(link, key)),
            onRemove: () => change(keep ? setFilter(link, key, []) : setWithout(link, key, [])),
          },
        ]
      : [];
  const chips: FilterChip[] = [
    ...FILTER_KEYS.flatMap((key) => [
      ...chipOf(key, link.filters[key], true),
      ...chipOf(key, link.without[key], false),
    ]),
    ...link.entities.map((entity) => ({
      id: `${entity.role} ${entity.type} ${entity.value}`,
      field: t(`filter.${entity.role}`),
      relation: t(entity.keep ? 'filter.is' : 'filter.isNot'),
      values: [entity.value],
      onFlip: () => change(toggleEntity(link, { ...entity, keep: !entity.keep })),
      onRemove: () => change({ entities: link.entities.filter((each) => each !== entity) }),
    })),
  ];
  return <FilterChips chips={chips} onClear={() => change(withoutFilters(link))} />;
}
