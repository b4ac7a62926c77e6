import { Combobox, InputBase, useCombobox } from '@mantine/core';
import { type Case, pickerCases } from '@tyrian/contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { caseSelection, OPEN_WORK } from './case-list-state.ts';
import classes from './case-picker.module.css';
import { useCaseList } from './case-queries.ts';
import { CaseStatusLabel } from './case-status.tsx';

interface CasePickerProps {
  /** The case at hand: listed even when it is closed. */
  readonly current: Case | undefined;
  readonly value: string | null;
  readonly onChange: (caseId: string | null) => void;
}

const MOST_SHOWN = 100;
const OPEN_SELECTION = {
  ...caseSelection({
    statuses: OPEN_WORK,
    severities: [],
    handlers: [],
    search: '',
    sort: { id: 'updated', desc: true },
  }),
  sort_by: 'updated',
} as const;

/** Finds a case at work by its name. */
export function CasePicker({ current, value, onChange }: CasePickerProps) {
  const { t } = useTranslation('cases');
  const [search, setSearch] = useState('');
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setSearch('');
    },
  });
  const { rows } = useCaseList(OPEN_SELECTION);
  const offered = useMemo(() => pickerCases(rows ?? [], current, search), [rows, current, search]);
  const name = current && current.case_id === value ? `${current.case_key} ${current.case_name}` : '';
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(caseId) => {
        onChange(caseId);
        combobox.closeDropdown();
      }}
    >
      <Combobox.Target>
        <InputBase
          size="xs"
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          aria-label={t('notes.pick')}
          placeholder={t('notes.pick')}
          value={combobox.dropdownOpened ? search : name}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            combobox.openDropdown();
            combobox.updateSelectedOptionIndex();
          }}
          onFocus={() => combobox.openDropdown()}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={300} style={{ overflowY: 'auto' }}>
          {offered.slice(0, MOST_SHOWN).map((one) => (
            <Combobox.Option key={one.case_id} value={one.case_id} active={one.case_id === value}>
              <span className={classes.option}>
                <span className={classes.name}>
                  <span className={classes.key}>{one.case_key}</span> {one.case_name}
                </span>
                <CaseStatusLabel status={one.status} />
              </span>
            </Combobox.Option>
          ))}
          {offered.length === 0 ? (
            <Combobox.Empty>{t(search.trim() ? 'notes.noMatch' : 'notes.noCases')}</Combobox.Empty>
          ) : null}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
