import { Button, Skeleton, Stack } from '@mantine/core';
import { IconArrowRight, IconPlus, IconX } from '@tabler/icons-react';
import { type Case, type CaseSignal, isReadOnly, removeCaseSignal } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatInteger } from '../../lib/format-number.ts';
import { useScope } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EntityChip } from '../../ui/entity-chip.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ScoreTile, scoreBand } from '../../ui/score-tile.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';
import { showUndo } from '../../ui/undo-toast.tsx';
import { useTechniqueNames } from '../workbooks/public.ts';
import { type CaseFocus, entityKey, toggleSignal } from './case-focus.ts';
import { type useCase, useCaseReload, useSignalAddition } from './case-queries.ts';
import classes from './case-side.module.css';
import { PickSignalsDialog } from './pick-signals-dialog.tsx';

interface SignalListProps {
  readonly query: ReturnType<typeof useCase>['signals'];
  readonly one: Case | undefined;
  readonly focus: CaseFocus;
  readonly onFocus: (focus: CaseFocus) => void;
}

/** The signals of a case as cards: score, name, tactic and technique, who did it to whom. */
export function CaseSignalList({ query, one, focus, onFocus }: SignalListProps) {
  const { t } = useTranslation('cases');
  const remove = useRemoval(one);
  const canChange = one !== undefined && !isReadOnly(one.status);
  if (query.isLoadingError) return <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <CardSkeleton />;
  if (query.data.data.length === 0) {
    return (
      <EmptyState kind="nothing-yet" title={t('side.noSignals')} text={t('side.noSignalsText')}>
        {canChange ? <AddSignalsButton one={one} /> : null}
      </EmptyState>
    );
  }
  return (
    <>
      {canChange ? <AddSignalsButton one={one} /> : null}
      {query.data.data.map((signal) => (
        <div key={signal.signal_id} className={classes.item}>
          <SignalCard signal={signal} focus={focus} onFocus={onFocus} />
          {canChange ? (
            <span className={classes.remove}>
              <IconButton label={t('side.removeSignal')} size={22} onClick={() => remove(signal)}>
                <IconX size={14} />
              </IconButton>
            </span>
          ) : null}
        </div>
      ))}
    </>
  );
}

interface SignalCardProps extends Pick<SignalListProps, 'focus' | 'onFocus'> {
  readonly signal: CaseSignal;
}

function SignalCard({ signal, focus, onFocus }: SignalCardProps) {
  const { t } = useTranslation('cases');
  const nameOf = useTechniqueNames();
  return (
    <button
      type="button"
      className={classes.card}
      data-band={scoreBand(signal.score)}
      data-lit={isLit(signal, focus) || undefined}
      aria-pressed={focus.signalId === signal.signal_id}
      onClick={() => onFocus(toggleSignal(focus, signal.signal_id))}
    >
      <span className={classes.title}>
        <ScoreTile score={signal.score} />
        {signal.name}
      </span>
      <span className={classes.line}>
        {[signal.tactic, nameOf(signal.sub_technique || signal.technique)].filter(Boolean).join(' / ')}
      </span>
      <div className={classes.line}>
        <TimeStamp time={signal.last_time} form="seconds" />
        {signal.occurrences > 1
          ? ` · ${t('side.times', { count: signal.occurrences, n: formatInteger(signal.occurrences) })}`
          : null}
      </div>
      <Parties signal={signal} />
    </button>
  );
}

function AddSignalsButton({ one }: { readonly one: Case }) {
  const { t } = useTranslation('cases');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        m={12}
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('side.addSignals')}
      </Button>
      {isOpen ? <PickSignalsDialog one={one} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function Parties({ signal }: { readonly signal: CaseSignal }) {
  return (
    <span className={classes.parties}>
      {signal.suspects.slice(0, 3).map((party) => (
        <EntityChip key={entityKey(party)} {...party} part="suspect" />
      ))}
      {signal.suspects.length > 0 && signal.targets.length > 0 ? (
        <IconArrowRight size={13} aria-hidden />
      ) : null}
      {signal.targets.slice(0, 3).map((party) => (
        <EntityChip key={entityKey(party)} {...party} part="target" />
      ))}
    </span>
  );
}

/** Takes a signal out, with a way back for 8 s. */
function useRemoval(one: Case | undefined): (signal: CaseSignal) => void {
  const { t } = useTranslation('cases');
  const { clusterId, scopeId } = useScope();
  const reload = useCaseReload();
  const remove = useCallMutation(removeCaseSignal);
  const add = useSignalAddition();
  return (signal) => {
    if (!one) return;
    const named = { scope_id: scopeId, case_id: one.case_id };
    remove.mutate(
      { params: { clusterId }, input: { ...named, signal_id: signal.signal_id } },
      {
        onSuccess: () => {
          void reload();
          showUndo(t('side.removed', { name: signal.name }), () =>
            add.mutate({ params: { clusterId }, input: { ...named, signal_ids: [signal.signal_id] } }),
          );
        },
      },
    );
  };
}

function isLit(signal: CaseSignal, focus: CaseFocus): boolean {
  if (focus.signalId === signal.signal_id) return true;
  return [...signal.suspects, ...signal.targets].some((party) => entityKey(party) === focus.entityKey);
}

function CardSkeleton() {
  return (
    <Stack p={16} gap={20} aria-hidden>
      {[1, 2, 3].map((row) => (
        <Stack key={row} gap={6}>
          <Skeleton height={14} width="60%" />
          <Skeleton height={10} width="40%" />
          <Skeleton height={18} width="80%" />
        </Stack>
      ))}
    </Stack>
  );
}
