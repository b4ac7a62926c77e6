import { Button, Menu } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useSettings } from '../../lib/settings.ts';
import { type FilterChip, FilterChips } from '../../ui/filter-chips.tsx';
import {
  FILTER_KEYS,
  type FilterKey,
  type SignalLink,
  setFilter,
  toggleFilter,
  withoutFilters,
} from './signal-link.ts';
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
    const chosen = (link.filters[key] ?? []).filter((value) => !known.some((each) => each.value === value));
    return [...known, ...chosen.map((value) => ({ value, count: 0 }))];
  };
  const keys = FILTER_KEYS.filter((key) => valuesOf(key).length > 0);
  return (
    <Menu closeOnItemClick={false} position="bottom-start" withinPortal width={280}>
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
              <Menu.CheckboxItem
                key={value}
                checked={link.filters[key]?.includes(value) ?? false}
                onChange={() => change({ filters: toggleFilter(link, key, value).filters })}
                rightSection={formatInteger(count, locale)}
              >
                {value === '' ? t('filter.none') : value}
              </Menu.CheckboxItem>
            ))}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** What is filtered, as sentences, each with its way out. */
export function SignalFilterChips({ link, change }: Omit<SignalFiltersProps, 'facets'>) {
  const { t } = useTranslation('signals');
  const chips: FilterChip[] = [
    ...FILTER_KEYS.flatMap((key) => {
      const values = link.filters[key];
      if (!values) return [];
      const onRemove = () => change({ filters: setFilter(link, key, []).filters });
      return [
        {
          id: key,
          field: t(`filter.${key}`),
          relation: t('filter.is'),
          values: values.map((each) => each || t('filter.none')),
          onRemove,
        },
      ];
    }),
    ...link.entities.map((entity) => ({
      id: `${entity.role} ${entity.type} ${entity.value}`,
      field: t(`filter.${entity.role}`),
      relation: t(entity.keep ? 'filter.is' : 'filter.isNot'),
      values: [entity.value],
      onRemove: () => change({ entities: link.entities.filter((each) => each !== entity) }),
    })),
  ];
  return <FilterChips chips={chips} onClear={() => change(withoutFilters(link))} />;
}
