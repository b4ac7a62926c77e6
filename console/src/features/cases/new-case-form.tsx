import { Button, Checkbox, Select, Stack, TextInput } from '@mantine/core';
import { type Case, SEVERITIES, type Severity } from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useScope } from '../../lib/session-store.ts';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { useCaseCreation } from './case-queries.ts';
import { HandlerSelect } from './handler-select.tsx';

const LONGEST_NAME = 200;

interface NewCaseFormProps {
  readonly name?: string;
  readonly severity?: Severity;
  readonly signalIds?: readonly string[];
  readonly onCancel: () => void;
  readonly onCreated: (one: Case) => void;
}

/** Name, severity and, if known, a handler. The case starts OPEN. */
export function NewCaseForm({
  name = '',
  severity = 'Medium',
  signalIds = [],
  onCancel,
  onCreated,
}: NewCaseFormProps) {
  const { t } = useTranslation('cases');
  const { clusterId, scopeId } = useScope();
  const [title, setTitle] = useState(name.slice(0, LONGEST_NAME));
  const [weight, setWeight] = useState<Severity>(severity);
  const [handler, setHandler] = useState<string | null>(null);
  const [isSimilarTaken, setSimilarTaken] = useState(true);
  const create = useCaseCreation();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = {
      scope_id: scopeId,
      case_name: title.trim(),
      severity: weight,
      handler,
      signal_ids: [...signalIds],
      include_similar: signalIds.length > 0 && isSimilarTaken,
    };
    create.mutate({ params: { clusterId }, input }, { onSuccess: onCreated });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={12}>
        <TextInput
          label={t('new.name')}
          value={title}
          maxLength={LONGEST_NAME}
          onChange={(event) => setTitle(event.currentTarget.value)}
          data-autofocus
        />
        <Select
          label={t('list.severity')}
          allowDeselect={false}
          data={SEVERITIES.map((value) => ({ value, label: t(`ui:severity.${value}`) }))}
          value={weight}
          onChange={(value) => value && setWeight(value as Severity)}
        />
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
        <DialogActions onCancel={onCancel}>
          <Button type="submit" disabled={title.trim() === ''} loading={create.isPending}>
            {t('new.submit')}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}
