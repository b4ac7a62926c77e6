import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { functionVersions, type KqlFunction, listFunctions, saveFunction } from '@tyrian/contract';
import type { Diagnostic } from '@tyrian/diagnostics';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallError } from '../../lib/call.ts';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { DiagnosticList } from '../../query-kit/editor/diagnostic-list.tsx';
import styles from '../../query-kit/library/query-text.module.css';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';

/** A function that is changed, or the text that a new one starts from. */
export interface FunctionTarget {
  readonly body: string;
  readonly entry: KqlFunction | null;
}

interface FunctionDialogProps {
  /** Null: closed. */
  readonly target: FunctionTarget | null;
  readonly onClose: () => void;
}

/** Name, parameters and text of a function of the tenant. */
export function FunctionDialog({ target, onClose }: FunctionDialogProps) {
  const { t } = useTranslation('search');
  return (
    <Modal
      opened={target !== null}
      onClose={onClose}
      title={t(target?.entry ? 'functions.change' : 'functions.add')}
      size={640}
      closeButtonProps={{ 'aria-label': t('ui:close') }}
    >
      {target && <FunctionForm target={target} onClose={onClose} />}
    </Modal>
  );
}

const diagnosticsOf = (error: CallError | null): readonly Diagnostic[] => {
  const details = error?.details as { readonly diagnostics?: readonly Diagnostic[] } | null | undefined;
  return details?.diagnostics ?? [];
};

const NAME = /^[A-Za-z_]\w*$/;

function FunctionForm({
  target,
  onClose,
}: {
  readonly target: FunctionTarget;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('search');
  const { clusterId } = useScope();
  const { entry } = target;
  const area = useRef<HTMLTextAreaElement>(null);
  const [fields, setFields] = useState({
    name: entry?.name ?? '',
    parameters: entry?.parameters ?? '',
    body: target.body,
    description: entry?.description ?? '',
  });
  const set = (change: Partial<typeof fields>) => setFields((now) => ({ ...now, ...change }));
  const mutation = useCallMutation(saveFunction, { stale: [listFunctions, functionVersions], quiet: true });
  const isNamed = NAME.test(fields.name);
  const isReady = isNamed && fields.body.trim() !== '';
  const save = () =>
    mutation.mutate(
      { params: { clusterId }, input: { ...fields, ...(entry ? { version: entry.version } : {}) } },
      {
        onSuccess: ({ saved, warnings }) => {
          notify('done', t('functions.saved', { name: saved.name }), warnings.join(' '));
          onClose();
        },
      },
    );
  const found = diagnosticsOf(mutation.error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) save();
      }}
    >
      <Stack gap={12}>
        <Group grow align="flex-start">
          <TextInput
            label={t('save.name')}
            value={fields.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
            required
            readOnly={entry !== null}
            error={isNamed || fields.name === '' ? null : t('functions.nameRule')}
            maxLength={100}
            data-autofocus
          />
          <TextInput
            label={t('functions.parameters')}
            placeholder="host: string, last: timespan = 1h"
            classNames={{ input: styles.text }}
            value={fields.parameters}
            onChange={(event) => set({ parameters: event.currentTarget.value })}
          />
        </Group>
        <Textarea
          ref={area}
          label={t('functions.body')}
          description={t('functions.bodyHelp')}
          classNames={{ input: styles.text }}
          value={fields.body}
          onChange={(event) => set({ body: event.currentTarget.value })}
          required
          autosize
          minRows={4}
          maxRows={14}
        />
        <DiagnosticList
          text={fields.body}
          diagnostics={found}
          onGo={({ span }) => {
            area.current?.focus();
            area.current?.setSelectionRange(span.start, span.end);
          }}
        />
        <TextInput
          label={t('functions.description')}
          value={fields.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
          maxLength={2000}
        />
        {mutation.error && found.length === 0 && (
          <ErrorPanel title={t('functions.failed')} error={mutation.error} />
        )}
        <DialogActions onCancel={onClose}>
          <Button type="submit" loading={mutation.isPending} disabled={!isReady}>
            {t('save.save')}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}
