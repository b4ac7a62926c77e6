import { Button, Group, PasswordInput, SegmentedControl, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { connectCluster, listFleet, tenantList } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../../lib/session-store.ts';
import { useCallMutation } from '../../../lib/use-call.ts';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { readAccess } from '../sign-in/refresh-access.ts';

/** What it is for, in the words of the page that offers it. */
type Purpose = 'newTenant' | 'connect';

interface ConnectButtonProps {
  readonly purpose: Purpose;
  readonly label: string;
  /** The caller may then open it. */
  readonly onConnected: (clusterId: string) => void;
}

/** Asks for a tenant and makes it, after which the access of the caller holds it. */
export function ConnectButton({ purpose, label, onConnected }: ConnectButtonProps) {
  const session = useSignedIn();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen ? (
        <ConnectDialog
          purpose={purpose}
          onClose={() => setOpen(false)}
          onConnected={async (clusterId) => {
            await readAccess(session);
            onConnected(clusterId);
          }}
        />
      ) : null}
    </>
  );
}

interface ConnectDialogProps {
  readonly purpose: Purpose;
  readonly onClose: () => void;
  readonly onConnected: (clusterId: string) => void;
}

const NO_ENGINE = { url: '', ingest_user: '', ingest_password: '', query_user: '', query_password: '' };

type Engine = typeof NO_ENGINE;

/** Makes a tenant: its name, and where its events are stored. What comes next is asked on its page. */
function ConnectDialog({ purpose, onClose, onConnected }: ConnectDialogProps) {
  const { t } = useTranslation('tenants');
  const [clusterName, setName] = useState('');
  const [place, setPlace] = useState<'platform' | 'own'>('platform');
  const [engine, setEngine] = useState(NO_ENGINE);
  const connect = useCallMutation(connectCluster, { stale: [tenantList, listFleet], quiet: true });
  const isOwn = place === 'own';
  const isReady = clusterName.trim() !== '' && (!isOwn || (engine.url !== '' && engine.ingest_user !== ''));
  const submit = () =>
    connect.mutate(
      { input: { clusterName, ...(isOwn ? { engine } : {}) } },
      { onSuccess: ({ clusterId }) => onConnected(clusterId) },
    );
  return (
    <FormDialog
      title={t(`${purpose}.title`)}
      submitLabel={t(`${purpose}.submit`)}
      error={connect.error}
      isReady={isReady}
      isBusy={connect.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        label={t('connect.name')}
        value={clusterName}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={128}
        data-autofocus
      />
      <Text size="sm" fw={500} mb={-8}>
        {t('connect.place')}
      </Text>
      <SegmentedControl
        aria-label={t('connect.place')}
        value={place}
        onChange={(value) => setPlace(value === 'own' ? 'own' : 'platform')}
        data={[
          { value: 'platform', label: t('connect.platform') },
          { value: 'own', label: t('connect.own') },
        ]}
      />
      {isOwn ? (
        <EngineFields engine={engine} change={(part) => setEngine((old) => ({ ...old, ...part }))} />
      ) : null}
    </FormDialog>
  );
}

interface EngineFieldsProps {
  readonly engine: Engine;
  readonly change: (part: Partial<Engine>) => void;
}

/** An engine of the tenant's own, with its two accounts. */
function EngineFields({ engine, change }: EngineFieldsProps) {
  const { t } = useTranslation('tenants');
  const field = (name: keyof Engine) => ({
    label: t(`engine.${name}`),
    value: engine[name],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  });
  const reveal = { 'aria-label': t('engine.reveal') };
  return (
    <>
      <TextInput {...field('url')} placeholder="https://clickhouse.example:8443" />
      <Group grow align="start">
        <TextInput {...field('ingest_user')} />
        <PasswordInput {...field('ingest_password')} visibilityToggleButtonProps={reveal} />
      </Group>
      <Group grow align="start">
        <TextInput
          {...field('query_user')}
          description={t('engine.queryHelp')}
          inputWrapperOrder={['label', 'input', 'description']}
        />
        <PasswordInput {...field('query_password')} visibilityToggleButtonProps={reveal} />
      </Group>
    </>
  );
}
