import { Checkbox } from '@mantine/core';
import type { Case, Severity } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { DialogForm } from '../../ui/form-dialog.tsx';
import { CaseNameInput, LONGEST_NAME, SeveritySelect } from './case-fields.tsx';
import { useCaseCreation } from './case-queries.ts';
import { HandlerSelect } from './handler-select.tsx';

interface NewCaseFormProps {
  readonly name?: string;
  readonly severity?: Severity;
  readonly signalIds?: readonly string[];
  readonly onCancel: () => void;
  readonly onCreated: (one: Case) => void;
}

/** Name, severity and, if known, a handler. The case starts OPEN. */
export function NewCaseForm(props: NewCaseFormProps) {
  const { name = '', severity = 'Medium', signalIds = [], onCancel, onCreated } = props;
  const { t } = useTranslation('cases');
  const { clusterId, scopeId } = useScope();
  const [title, setTitle] = useState(name.slice(0, LONGEST_NAME));
  const [weight, setWeight] = useState<Severity>(severity);
  const [handler, setHandler] = useState<string | null>(null);
  const [isSimilarTaken, setSimilarTaken] = useState(true);
  const create = useCaseCreation();
  const submit = () => {
    const facts = { scope_id: scopeId, case_name: title.trim(), severity: weight, handler };
    const include_similar = signalIds.length > 0 && isSimilarTaken;
    const input = { ...facts, signal_ids: [...signalIds], include_similar };
    create.mutate({ params: { clusterId }, input }, { onSuccess: onCreated });
  };
  return (
    <DialogForm
      submitLabel={t('new.submit')}
      isReady={title.trim() !== ''}
      isBusy={create.isPending}
      onCancel={onCancel}
      onSubmit={submit}
    >
      <CaseNameInput value={title} onChange={setTitle} />
      <SeveritySelect value={weight} onChange={setWeight} />
      <HandlerSelect
        label={t('list.handler')}
        value={handler}
        onChange={setHandler}
        description={t('new.handlerHelp')}
      />
      {signalIds.length > 0 ? (
        <Checkbox
          label={t('add.similar')}
          checked={isSimilarTaken}
          onChange={(event) => setSimilarTaken(event.currentTarget.checked)}
        />
      ) : null}
    </DialogForm>
  );
}
