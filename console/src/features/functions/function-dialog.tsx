import { Group, Modal, TextInput } from '@mantine/core';
import {
  functionVersions,
  type InputOf,
  type KqlFunction,
  listFunctions,
  type OutputOf,
  saveFunction,
} from '@tyrian/contract';
import type { Diagnostic } from '@tyrian/diagnostics';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallError } from '../../lib/call.ts';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { DiagnosticList } from '../../query-kit/editor/diagnostic-list.tsx';
import styles from '../../query-kit/library/query-text.module.css';
import { QueryTextarea } from '../../query-kit/library/query-textarea.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { DialogForm } from '../../ui/form-dialog.tsx';

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

interface FunctionFormProps {
  readonly target: FunctionTarget;
  readonly onClose: () => void;
}

function FunctionForm({ target: { body, entry }, onClose }: FunctionFormProps) {
  const { t } = useTranslation('search');
  const [fields, setFields] = useState({
    name: entry?.name ?? '',
    parameters: entry?.parameters ?? '',
    body,
    description: entry?.description ?? '',
  });
  const set = (change: Partial<typeof fields>) => setFields((now) => ({ ...now, ...change }));
  const { save, mutation } = useSave({ ...fields, ...(entry ? { version: entry.version } : {}) }, onClose);
  const isNamed = NAME.test(fields.name);
  const found = diagnosticsOf(mutation.error);
  return (
    <DialogForm
      submitLabel={t('save.save')}
      isReady={isNamed && fields.body.trim() !== ''}
      isBusy={mutation.isPending}
      onCancel={onClose}
      onSubmit={save}
    >
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
        <Parameters value={fields.parameters} onChange={(parameters) => set({ parameters })} />
      </Group>
      <Body value={fields.body} found={found} onChange={(text) => set({ body: text })} />
      <TextInput
        label={t('functions.description')}
        value={fields.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
        maxLength={2000}
      />
      {mutation.error && found.length === 0 && (
        <ErrorPanel title={t('functions.failed')} error={mutation.error} />
      )}
    </DialogForm>
  );
}

function useSave(input: InputOf<typeof saveFunction>, onClose: () => void) {
  const { t } = useTranslation('search');
  const { clusterId } = useScope();
  const mutation = useCallMutation(saveFunction, { stale: [listFunctions, functionVersions], quiet: true });
  const onSuccess = ({ saved, warnings }: OutputOf<typeof saveFunction>) => {
    notify('done', t('functions.saved', { name: saved.name }), warnings.join(' '));
    onClose();
  };
  return { save: () => mutation.mutate({ params: { clusterId }, input }, { onSuccess }), mutation };
}

interface TextProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function Parameters({ value, onChange }: TextProps) {
  const { t } = useTranslation('search');
  return (
    <TextInput
      label={t('functions.parameters')}
      placeholder="host: string, last: timespan = 1h"
      classNames={{ input: styles.text }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface BodyProps extends TextProps {
  readonly found: readonly Diagnostic[];
}

/** The text of the function, and what the compiler said to it; a click on that marks its place. */
function Body({ value, found, onChange }: BodyProps) {
  const { t } = useTranslation('search');
  const area = useRef<HTMLTextAreaElement>(null);
  return (
    <>
      <QueryTextarea
        ref={area}
        label={t('functions.body')}
        description={t('functions.bodyHelp')}
        value={value}
        onChange={onChange}
        minRows={4}
        maxRows={14}
      />
      <DiagnosticList
        text={value}
        diagnostics={found}
        onGo={({ span }) => {
          area.current?.focus();
          area.current?.setSelectionRange(span.start, span.end);
        }}
      />
    </>
  );
}
