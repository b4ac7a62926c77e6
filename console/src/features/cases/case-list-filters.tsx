import { Button, Menu } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { CASE_STATUSES, type CaseStatus, SEVERITIES, type Severity } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { type FilterChip, FilterChips } from '../../ui/filter-chips.tsx';
import { TypedSearch } from '../../ui/typed-search.tsx';
import { type CaseListState, isOpenWork, OPEN_WORK, toggled } from './case-list-state.ts';
import { useScopeUsers } from './case-queries.ts';

interface FiltersProps {
  readonly state: CaseListState;
  readonly onChange: (next: Partial<CaseListState>) => void;
}

/** Search, the filters to add, and the active ones as sentences. */
export function CaseFilters({ state, onChange }: FiltersProps) {
  const { t } = useTranslation('cases');
  const users = useScopeUsers();
  return (
    <>
      <TypedSearch
        value={state.search}
        onChange={(search) => onChange({ search })}
        label={t('list.search')}
      />
      <FilterMenu
        label={t('list.status')}
        options={CASE_STATUSES.map((id) => ({ id, label: t(`status.${id}`) }))}
        chosen={state.statuses}
        onToggle={(id) => onChange({ statuses: keepOne(toggled(state.statuses, id as CaseStatus)) })}
      />
      <FilterMenu
        label={t('list.severity')}
        options={SEVERITIES.map((id) => ({ id, label: t(`ui:severity.${id}`) }))}
        chosen={state.severities}
        onToggle={(id) => onChange({ severities: toggled(state.severities, id as Severity) })}
      />
      <FilterMenu
        label={t('list.handler')}
        options={users.map((user) => ({ id: user.user_id, label: user.name }))}
        chosen={state.handlers}
        onToggle={(id) => onChange({ handlers: toggled(state.handlers, id) })}
      />
      <ActiveFilters state={state} onChange={onChange} />
    </>
  );
}

/** A list without any status would be empty by design: the last one stays. */
function keepOne(statuses: readonly CaseStatus[]): readonly CaseStatus[] {
  return statuses.length === 0 ? OPEN_WORK : statuses;
}

function ActiveFilters({ state, onChange }: FiltersProps) {
  const { t } = useTranslation('cases');
  const users = useScopeUsers();
  const chips: FilterChip[] = [];
  const add = (id: string, field: string, values: readonly string[], onRemove: () => void) =>
    chips.push({ id, field, relation: t('filter.is'), values, onRemove });
  if (!isOpenWork(state.statuses) && state.statuses.length < CASE_STATUSES.length) {
    const words = state.statuses.map((status) => t(`status.${status}`));
    add('status', t('filter.status'), words, () => onChange({ statuses: OPEN_WORK }));
  }
  if (state.severities.length > 0) {
    const words = state.severities.map((severity) => t(`ui:severity.${severity}`));
    add('severity', t('filter.severity'), words, () => onChange({ severities: [] }));
  }
  if (state.handlers.length > 0) {
    const words = state.handlers.map((id) => users.find((user) => user.user_id === id)?.name ?? id);
    add('handler', t('filter.handler'), words, () => onChange({ handlers: [] }));
  }
  if (state.statuses.length === CASE_STATUSES.length) {
    const onRemove = () => onChange({ statuses: OPEN_WORK });
    chips.push({ id: 'status', field: t('filter.statusOf'), values: [t('filter.any')], onRemove });
  }
  return (
    <FilterChips
      chips={chips}
      onClear={() => onChange({ statuses: OPEN_WORK, severities: [], handlers: [] })}
    />
  );
}

interface FilterMenuProps {
  readonly label: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
  readonly chosen: readonly string[];
  readonly onToggle: (id: string) => void;
}

function FilterMenu({ label, options, chosen, onToggle }: FilterMenuProps) {
  return (
    <Menu closeOnItemClick={false} position="bottom-start">
      <Menu.Target>
        <Button variant="default" fw={400} leftSection={<IconFilter size={13} aria-hidden />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="50vh" style={{ overflow: 'auto' }}>
        {options.map((option) => (
          <Menu.CheckboxItem
            key={option.id}
            checked={chosen.includes(option.id)}
            onChange={() => onToggle(option.id)}
          >
            {option.label}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
