import { TextInput } from '@mantine/core';
import {
  listSuppressedSignals,
  listSuppressionRules,
  type Signal,
  type SuppressionCondition,
  type SuppressionRule,
  saveSuppressionRule,
  suppressionConditionSchema,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ConditionList, NEW_CONDITION } from './condition-list.tsx';
import { ExpirySelect } from './expiry-select.tsx';
import { SuppressionPreview } from './suppression-preview.tsx';
import { WorkbookSelect } from './workbook-select.tsx';

/** A suppression rule while it is written. */
export interface SuppressionDraft {
  readonly rule_id?: string;
  readonly revision: number;
  readonly workbook_id: string;
  readonly workbook_name: string;
  readonly conditions: readonly SuppressionCondition[];
  readonly reason: string;
  readonly enabled: boolean;
  readonly expires: number | null;
}

export const EMPTY_DRAFT: SuppressionDraft = {
  revision: 0,
  workbook_id: '',
  workbook_name: '',
  conditions: [NEW_CONDITION],
  reason: '',
  enabled: true,
  expires: null,
};

export const draftOfRule = (rule: SuppressionRule): SuppressionDraft => rule;

/** A draft that would have suppressed a signal: all that it names, which the user then narrows or widens. */
export function draftOfSignal(
  signal: Pick<Signal, 'workbook_id' | 'workbook_name' | 'suspects' | 'targets'>,
): SuppressionDraft {
  const of = (role: 'suspect' | 'target', entities: Signal['suspects']) =>
    [...new Set(entities.map(({ type }) => type))].flatMap((type) => {
      const values = entities.filter((one) => one.type === type).map(({ value }) => value);
      const read = suppressionConditionSchema.safeParse({ role, type, values });
      return read.success ? [read.data] : [];
    });
  const conditions = [...of('suspect', signal.suspects), ...of('target', signal.targets)];
  const { workbook_id, workbook_name } = signal;
  return { ...EMPTY_DRAFT, workbook_id, workbook_name, ...(conditions.length > 0 ? { conditions } : {}) };
}

interface SuppressionDialogProps {
  readonly draft: SuppressionDraft;
  readonly onClose: () => void;
}

function useSuppressionDraft(first: SuppressionDraft, onDone: () => void) {
  const { t } = useTranslation('suppression');
  const { clusterId, scopeId } = useScope();
  const [draft, setDraft] = useState(first);
  const save = useCallMutation(saveSuppressionRule, {
    stale: [listSuppressionRules, listSuppressedSignals],
    quiet: true,
  });
  useUnsavedWork(draft !== first && !save.isSuccess);
  const { rule_id, revision, workbook_id, enabled, expires } = draft;
  const conditions = draft.conditions.map((one) => ({ ...one }));
  const reason = draft.reason.trim();
  const hasConditions = conditions.length > 0 && conditions.every(({ values }) => values.length > 0);
  const submit = () => {
    const content = { workbook_id, conditions, reason, enabled, expires };
    const input = { scope_id: scopeId, ...(rule_id ? { rule_id, revision } : {}), ...content };
    const onSuccess = () => {
      notify('done', t('saved'));
      onDone();
    };
    save.mutate({ params: { clusterId }, input }, { onSuccess });
  };
  return {
    draft,
    change: (part: Partial<SuppressionDraft>) => setDraft((now) => ({ ...now, ...part })),
    tried: hasConditions ? conditions : [],
    isReady: workbook_id !== '' && reason !== '' && hasConditions,
    submit,
    save,
  };
}

/** Writes a suppression rule, and tells meanwhile what it would have suppressed. */
export function SuppressionDialog({ draft: first, onClose }: SuppressionDialogProps) {
  const { t } = useTranslation('suppression');
  const { draft, change, tried, isReady, submit, save } = useSuppressionDraft(first, onClose);
  return (
    <FormDialog
      title={t(draft.rule_id ? 'editTitle' : 'addTitle')}
      size="lg"
      onClose={onClose}
      onSubmit={submit}
      submitLabel={t('save')}
      isReady={isReady}
      isBusy={save.isPending}
      error={save.error}
    >
      <WorkbookSelect
        id={draft.workbook_id}
        name={draft.workbook_name}
        onChange={(id, name) => change({ workbook_id: id, workbook_name: name })}
      />
      <ConditionList conditions={draft.conditions} onChange={(next) => change({ conditions: next })} />
      <TextInput
        label={t('columns.reason')}
        description={t('reasonHelp')}
        required
        maxLength={500}
        value={draft.reason}
        data-autofocus
        onChange={(event) => change({ reason: event.currentTarget.value })}
      />
      <ExpirySelect value={draft.expires} onChange={(next) => change({ expires: next })} />
      <SuppressionPreview workbookId={draft.workbook_id} conditions={tried} />
    </FormDialog>
  );
}
