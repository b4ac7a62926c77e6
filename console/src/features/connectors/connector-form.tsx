import { Alert, Text, TextInput } from '@mantine/core';
import {
  type Connector,
  createConnector,
  type ListedConnectorKind,
  listConnectors,
  updateConnector,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallError } from '../../lib/call.ts';
import { useScope } from '../../lib/session-store.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ConnectorFieldInput } from './connector-field-input.tsx';
import { type FieldSection, type Settings, sectionsOf } from './connector-fields.ts';
import classes from './connectors.module.css';

interface ConnectorFormProps {
  readonly kind: ListedConnectorKind;
  /** The one that is changed; a new one when absent. */
  readonly connector?: Connector;
  readonly onClose: () => void;
  readonly onSaved: (connector: Connector, token: string | null) => void;
}

interface Draft {
  readonly name: string;
  readonly config: Settings;
  readonly secrets: Readonly<Record<string, string>>;
}

function useConnectorDraft({ kind, connector, onSaved }: ConnectorFormProps) {
  const { clusterId, scopeId } = useScope();
  const [first] = useState<Draft>(() => ({
    name: connector?.name ?? '',
    config: connector?.config ?? kind.config,
    secrets: {},
  }));
  const [draft, setDraft] = useState(first);
  const options = { stale: [listConnectors], quiet: true };
  const create = useCallMutation(createConnector, options);
  const update = useCallMutation(updateConnector, options);
  useUnsavedWork(draft !== first && !create.isSuccess && !update.isSuccess);
  const submit = () => {
    const { name, config } = draft;
    // A field that was touched and emptied again says nothing.
    const secrets = Object.fromEntries(Object.entries(draft.secrets).filter(([, value]) => value !== ''));
    const params = { clusterId };
    const input = { scope_id: scopeId, config: { ...config }, secrets };
    if (connector) {
      const { id: connector_id, revision } = connector;
      const onSuccess = (saved: Connector) => onSaved(saved, null);
      update.mutate({ params, input: { ...input, connector_id, revision } }, { onSuccess });
      return;
    }
    create.mutate(
      { params, input: { ...input, kind: kind.kind, name: name.trim() } },
      { onSuccess: (made) => onSaved(made.connector, made.token) },
    );
  };
  return {
    draft,
    setDraft,
    submit,
    error: create.error ?? update.error,
    isBusy: create.isPending || update.isPending,
  };
}

/** The settings of a connector, by its kind. */
export function ConnectorForm(props: ConnectorFormProps) {
  const { kind, connector, onClose } = props;
  const { t } = useTranslation('connectors');
  const { draft, setDraft, submit, error, isBusy } = useConnectorDraft(props);
  const sections = sectionsOf(kind.engine, kind.kind);
  return (
    <FormDialog
      title={t(connector ? 'editTitle' : 'addTitle', { kind: kind.name })}
      size="lg"
      onClose={onClose}
      onSubmit={submit}
      submitLabel={t('save')}
      isReady={draft.name.trim() !== ''}
      isBusy={isBusy}
      error={error}
    >
      {kind.needs ? (
        <Alert color="gray" variant="light" p={10}>
          {t('needs', { what: kind.needs })}
        </Alert>
      ) : null}
      <TextInput
        label={t('fields.name')}
        description={t('fieldHelp.name')}
        withAsterisk
        maxLength={128}
        data-autofocus
        readOnly={connector !== undefined}
        value={draft.name}
        onChange={(event) => {
          const name = event.currentTarget.value;
          setDraft((now) => ({ ...now, name }));
        }}
      />
      {sections.map((section) => (
        <FormSection
          key={section.title}
          {...{ section, draft, error }}
          stored={connector?.secrets_set ?? []}
          onChange={(part) => setDraft((now) => ({ ...now, ...part(now) }))}
        />
      ))}
      {kind.engine === 'push' ? null : (
        <Text size="xs" c="dimmed">
          {t('validatedAfter')}
        </Text>
      )}
    </FormDialog>
  );
}

interface FormSectionProps {
  readonly section: FieldSection;
  readonly draft: Draft;
  readonly stored: readonly string[];
  readonly error: CallError | null;
  readonly onChange: (part: (now: Draft) => Partial<Draft>) => void;
}

function FormSection({ section, draft, stored, error, onChange }: FormSectionProps) {
  const { t } = useTranslation('connectors');
  return (
    <>
      <h3 className={classes.section}>{t(`sections.${section.title}`)}</h3>
      {section.fields
        .filter((field) => field.shows?.(draft.config) ?? true)
        .map((field) => {
          const isSecret = field.form === 'secret';
          const set = (value: unknown) =>
            onChange((now) =>
              isSecret
                ? { secrets: { ...now.secrets, [field.name]: String(value) } }
                : { config: { ...now.config, [field.name]: value } },
            );
          return (
            <ConnectorFieldInput
              key={field.name}
              field={field}
              value={isSecret ? draft.secrets[field.name] : draft.config[field.name]}
              isStored={stored.includes(field.name)}
              problem={isNamed(error, field.name) ? t('lookHere') : undefined}
              onChange={set}
            />
          );
        })}
    </>
  );
}

/** Whether the server found fault with this setting. */
function isNamed(error: CallError | null, name: string): boolean {
  const details: unknown = error?.details;
  if (!Array.isArray(details)) return false;
  return (details as readonly { readonly path?: unknown }[]).some(({ path }) => {
    const [group, field] = String(path).split('.');
    return (group === 'config' || group === 'secrets') && field === name;
  });
}
