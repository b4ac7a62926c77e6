import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listRules, listWorkbooks } from '@tyrian/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';

const MOST = 500;

interface WorkbookSelectProps {
  readonly id: string;
  readonly name: string;
  readonly onChange: (id: string, name: string) => void;
}

/** The detection whose signals are suppressed: a workbook, or a rule of a pack that is on. */
export function WorkbookSelect({ id, name, onChange }: WorkbookSelectProps) {
  const { t } = useTranslation('suppression');
  const { clusterId, scopeId } = useScope();
  const extras = { params: { clusterId }, quiet: true };
  const scope = { scope_id: scopeId };
  const detections = [{ filter_key: 'detection', filter_operand: 'exact' as const, filter_value: true }];
  const workbooks = useQuery(
    callQuery(listWorkbooks, { ...scope, pagesize: MOST, addfilters: detections }, extras),
  ).data?.data;
  const rules = useQuery(callQuery(listRules, { ...scope, enabled: true, pagesize: MOST }, extras)).data
    ?.data;
  const names = useMemo(() => {
    const all = new Map<string, string>(id === '' ? [] : [[id, name]]);
    for (const one of workbooks ?? []) all.set(one.ID, one.properties.name);
    for (const one of rules ?? []) all.set(one.rule_id, one.title);
    return all;
  }, [workbooks, rules, id, name]);
  const data = [...names].map(([value, label]) => ({ value, label }));
  return (
    <Select
      label={t('columns.workbook')}
      placeholder={t('chooseWorkbook')}
      data={data.sort((one, other) => one.label.localeCompare(other.label))}
      searchable
      required
      limit={100}
      nothingFoundMessage={t('noMatch')}
      value={id === '' ? null : id}
      allowDeselect={false}
      onChange={(next) => next !== null && onChange(next, names.get(next) ?? '')}
    />
  );
}
