import { Checkbox, ScrollArea, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type AddFilter, type Case, listSignals, type Signal } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ScoreTile } from '../../ui/score-tile.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { TypedSearch } from '../../ui/typed-search.tsx';
import { useSignalAddition } from './case-queries.ts';
import classes from './case-side.module.css';

const SHOWN = 100;

/** Chooses signals that are in no case yet, the worst first, and puts them into this one. */
export function PickSignalsDialog({ one, onClose }: { readonly one: Case; readonly onClose: () => void }) {
  const { t } = useTranslation('cases');
  const { clusterId, scopeId } = useScope();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const add = useSignalAddition();
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const submit = () =>
    add.mutate(
      { params: { clusterId }, input: { scope_id: scopeId, case_id: one.case_id, signal_ids: [...chosen] } },
      {
        onSuccess: ({ added }) => {
          notify('done', t('add.done', { count: added, key: one.case_key }));
          onClose();
        },
      },
    );
  return (
    <FormDialog
      size={560}
      title={t('pick.title', { key: one.case_key })}
      submitLabel={t('side.addSignals')}
      isReady={chosen.size > 0}
      isBusy={add.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <TypedSearch value={search} onChange={setSearch} label={t('pick.search')} width="100%" />
      <Offered search={search.trim()} chosen={chosen} onToggle={toggle} />
    </FormDialog>
  );
}

interface OfferedProps {
  readonly search: string;
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (signalId: string) => void;
}

/** The signals that fit the search; says so when there are more than are shown. */
function Offered({ search, chosen, onToggle }: OfferedProps) {
  const { t } = useTranslation('cases');
  const found = useFreeSignals(search);
  const rows = found?.data ?? [];
  return (
    <>
      <ScrollArea.Autosize mah={360} type="auto">
        {rows.map((signal) => (
          <PickRow
            key={signal.signal_id}
            signal={signal}
            isChosen={chosen.has(signal.signal_id)}
            onToggle={onToggle}
          />
        ))}
        {found && rows.length === 0 ? (
          <Text size="sm" c="dimmed">
            {t(search === '' ? 'pick.none' : 'pick.noMatch')}
          </Text>
        ) : null}
      </ScrollArea.Autosize>
      {found && found.total_count > rows.length ? (
        <Text size="xs" c="dimmed">
          {t('pick.first', { count: rows.length })}
        </Text>
      ) : null}
    </>
  );
}

/** Signals that wait for a decision, the worst first. */
function useFreeSignals(search: string) {
  const { clusterId, scopeId } = useScope();
  const named: AddFilter = {
    filter_condition: 'AND',
    filter_key: 'name',
    filter_operand: 'fuzzy',
    filter_value: search,
  };
  const addfilters = search === '' ? [] : [named];
  const asked = { scope_id: scopeId, view: 'pending', addfilters, pagesize: SHOWN, sort: 'score' } as const;
  return useQuery(callQuery(listSignals, asked, { params: { clusterId }, keep: true })).data;
}

interface PickRowProps {
  readonly signal: Signal;
  readonly isChosen: boolean;
  readonly onToggle: (signalId: string) => void;
}

function PickRow({ signal, isChosen, onToggle }: PickRowProps) {
  return (
    <Checkbox
      size="xs"
      py={6}
      checked={isChosen}
      onChange={() => onToggle(signal.signal_id)}
      label={
        <span className={classes.title}>
          <ScoreTile score={signal.score} />
          <span>
            {signal.name} <TimeStamp time={signal.last_time} />
          </span>
        </span>
      }
    />
  );
}
