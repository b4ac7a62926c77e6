import { Button, Checkbox, ScrollArea, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type AddFilter, type Case, listSignals, type Signal } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
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
  const named: AddFilter = {
    filter_condition: 'AND',
    filter_key: 'name',
    filter_operand: 'fuzzy',
    filter_value: search.trim(),
  };
  const found = useQuery(
    callQuery(
      listSignals,
      {
        scope_id: scopeId,
        view: 'pending',
        addfilters: search.trim() === '' ? [] : [named],
        pagesize: SHOWN,
        sort: 'score',
      },
      { params: { clusterId }, keep: true },
    ),
  );
  const rows = found.data?.data ?? [];
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
    <Dialog size={560} onClose={onClose} title={t('pick.title', { key: one.case_key })}>
      <Stack gap={12}>
        <TypedSearch value={search} onChange={setSearch} label={t('pick.search')} width="100%" />
        <ScrollArea.Autosize mah={360} type="auto">
          {rows.map((signal) => (
            <PickRow
              key={signal.signal_id}
              signal={signal}
              isChosen={chosen.has(signal.signal_id)}
              onToggle={toggle}
            />
          ))}
          {found.data && rows.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t(search.trim() === '' ? 'pick.none' : 'pick.noMatch')}
            </Text>
          ) : null}
        </ScrollArea.Autosize>
        {found.data && found.data.total_count > rows.length ? (
          <Text size="xs" c="dimmed">
            {t('pick.first', { count: rows.length })}
          </Text>
        ) : null}
        <DialogActions onCancel={onClose}>
          <Button disabled={chosen.size === 0} loading={add.isPending} onClick={submit}>
            {t('side.addSignals')}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
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
