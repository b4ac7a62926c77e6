import { Checkbox, ScrollArea, SegmentedControl, Stack, Text } from '@mantine/core';
import type { Case, Severity } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/form-dialog.tsx';
import { SeverityChip } from '../../ui/severity-chip.tsx';
import { TypedSearch } from '../../ui/typed-search.tsx';
import classes from './add-to-case.module.css';
import { useCasePath } from './case-link.tsx';
import { caseSelection, OPEN_WORK } from './case-list-state.ts';
import { useCaseList, useSignalAddition } from './case-queries.ts';
import { CaseStatusLabel } from './case-status.tsx';
import { NewCaseForm } from './new-case-form.tsx';

export interface AddToCaseProps {
  readonly signalIds: readonly string[];
  /** Name and severity that a new case starts with, e.g. those of the signal. */
  readonly suggestedName?: string;
  readonly suggestedSeverity?: Severity;
  readonly onClose: () => void;
  /** After the signals are in the case. */
  readonly onDone?: (caseId: string) => void;
}

/** Puts signals into a new case or into one that is at work. */
export function AddToCase(props: AddToCaseProps) {
  const { t } = useTranslation('cases');
  const navigate = useNavigate();
  const path = useCasePath();
  const [way, setWay] = useState<'new' | 'old'>('new');
  const done = (one: Case) => {
    props.onDone?.(one.case_id);
    props.onClose();
    if (way === 'new') void navigate(path(one.case_id));
  };
  return (
    <Dialog size={520} onClose={props.onClose} title={t('add.title', { count: props.signalIds.length })}>
      <Stack gap={16}>
        <SegmentedControl
          fullWidth
          aria-label={t('add.title', { count: props.signalIds.length })}
          value={way}
          onChange={(value) => setWay(value as 'new' | 'old')}
          data={[
            { value: 'new', label: t('add.new') },
            { value: 'old', label: t('add.old') },
          ]}
        />
        {way === 'new' ? (
          <NewCaseForm
            name={props.suggestedName}
            severity={props.suggestedSeverity}
            signalIds={props.signalIds}
            onCancel={props.onClose}
            onCreated={done}
          />
        ) : (
          <ExistingCase signalIds={props.signalIds} onCancel={props.onClose} onAdded={done} />
        )}
      </Stack>
    </Dialog>
  );
}

interface ExistingCaseProps {
  readonly signalIds: readonly string[];
  readonly onCancel: () => void;
  readonly onAdded: (one: Case) => void;
}

function ExistingCase({ signalIds, onCancel, onAdded }: ExistingCaseProps) {
  const { t } = useTranslation('cases');
  const { clusterId, scopeId } = useScope();
  const [chosen, setChosen] = useState<string | null>(null);
  const [isSimilarTaken, setSimilarTaken] = useState(true);
  const add = useSignalAddition();
  const save = () => {
    if (!chosen) return;
    const named = { scope_id: scopeId, case_id: chosen, signal_ids: [...signalIds] };
    add.mutate(
      { params: { clusterId }, input: { ...named, include_similar: isSimilarTaken } },
      {
        onSuccess: (answer) => {
          notify('done', t('add.done', { count: answer.added, key: answer.case.case_key }));
          onAdded(answer.case);
        },
      },
    );
  };
  return (
    <DialogForm
      submitLabel={t('add.submit')}
      isReady={chosen !== null}
      isBusy={add.isPending}
      onCancel={onCancel}
      onSubmit={save}
    >
      <CaseChoice chosen={chosen} onChoose={setChosen} />
      <Checkbox
        label={t('add.similar')}
        checked={isSimilarTaken}
        onChange={(event) => setSimilarTaken(event.currentTarget.checked)}
      />
    </DialogForm>
  );
}

interface CaseChoiceProps {
  readonly chosen: string | null;
  readonly onChoose: (caseId: string) => void;
}

/** The cases at work, those first in which something happened last. */
function CaseChoice({ chosen, onChoose }: CaseChoiceProps) {
  const { t } = useTranslation('cases');
  const [search, setSearch] = useState('');
  const shown = { severities: [], handlers: [], search, sort: { id: 'created', desc: true } };
  const { rows } = useCaseList({ ...caseSelection({ ...shown, statuses: OPEN_WORK }), sort_by: 'updated' });
  return (
    <>
      <TypedSearch value={search} onChange={setSearch} label={t('list.search')} width="100%" />
      <ScrollArea.Autosize mah={260} className={classes.list}>
        {(rows ?? []).map((one) => (
          <button
            key={one.case_id}
            type="button"
            className={classes.choice}
            aria-pressed={one.case_id === chosen}
            onClick={() => onChoose(one.case_id)}
          >
            <span className={classes.key}>{one.case_key}</span>
            <span className={classes.name}>{one.case_name}</span>
            <SeverityChip severity={one.severity} />
            <CaseStatusLabel status={one.status} />
          </button>
        ))}
        {rows?.length === 0 ? (
          <Text size="sm" c="dimmed" p={12}>
            {t('add.none')}
          </Text>
        ) : null}
      </ScrollArea.Autosize>
    </>
  );
}
