import { Alert } from '@mantine/core';
import type { Case, Severity } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { CaseNameInput, SeveritySelect } from './case-fields.tsx';
import { useCaseEdit, useCaseReload } from './case-queries.ts';

const CONFLICT = 409;

/**
 * Name and severity. When somebody else was faster, it says what stands now and keeps what was typed; what was not
 * touched here stays as the other has set it.
 */
export function EditCaseDialog({ one, onClose }: { readonly one: Case; readonly onClose: () => void }) {
  const { t } = useTranslation('cases');
  const { clusterId, scopeId } = useScope();
  const [typedName, setName] = useState<string | null>(null);
  const [chosenSeverity, setSeverity] = useState<Severity | null>(null);
  const name = typedName ?? one.case_name;
  const severity = chosenSeverity ?? one.severity;
  const [revision] = useState(one.revision);
  const [isStale, setStale] = useState(false);
  const edit = useCaseEdit();
  const reload = useCaseReload();
  const submit = () => {
    const input = { scope_id: scopeId, case_id: one.case_id, revision, case_name: name.trim(), severity };
    edit.mutate(
      { params: { clusterId }, input: isStale ? { ...input, revision: one.revision } : input },
      {
        onSuccess: onClose,
        onError: (error) => {
          if (error.status !== CONFLICT) return notifyFailure(error);
          // What stands now has to be here before anybody is asked to write over it.
          void reload().then(() => setStale(true));
        },
      },
    );
  };
  return (
    <FormDialog
      title={t('edit.title')}
      submitLabel={t(isStale ? 'edit.overwrite' : 'edit.save')}
      isReady={name.trim() !== ''}
      isBusy={edit.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      {isStale ? <Overtaken one={one} /> : null}
      <CaseNameInput value={name} onChange={setName} />
      <SeveritySelect value={severity} onChange={setSeverity} />
    </FormDialog>
  );
}

/** What somebody else has made of the case meanwhile. */
function Overtaken({ one }: { readonly one: Case }) {
  const { t } = useTranslation('cases');
  return (
    <Alert color="yellow" variant="light" role="alert" title={t('edit.stale')}>
      {t('edit.staleText', { name: one.case_name, severity: t(`ui:severity.${one.severity}`) })}
    </Alert>
  );
}
