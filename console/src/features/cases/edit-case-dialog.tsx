import { Alert, Button, Select, Stack, TextInput } from '@mantine/core';
import { type Case, SEVERITIES, type Severity } from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogActions } from '../../ui/dialog-actions.tsx';
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
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
    <Dialog onClose={onClose} title={t('edit.title')}>
      <form onSubmit={submit}>
        <Stack gap={12}>
          {isStale ? (
            <Alert color="yellow" variant="light" role="alert" title={t('edit.stale')}>
              {t('edit.staleText', { name: one.case_name, severity: t(`ui:severity.${one.severity}`) })}
            </Alert>
          ) : null}
          <TextInput
            label={t('new.name')}
            value={name}
            maxLength={200}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <Select
            label={t('list.severity')}
            allowDeselect={false}
            data={SEVERITIES.map((value) => ({ value, label: t(`ui:severity.${value}`) }))}
            value={severity}
            onChange={(value) => value && setSeverity(value as Severity)}
          />
          <DialogActions onCancel={onClose}>
            <Button type="submit" disabled={name.trim() === ''} loading={edit.isPending}>
              {t(isStale ? 'edit.overwrite' : 'edit.save')}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}
