import { Button, Group, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { connectCluster, listFleet, tenantList } from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../../lib/use-call.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogActions } from '../../../ui/dialog-actions.tsx';
import { CallProblem } from '../../../ui/form-problem.tsx';

interface ConnectDialogProps {
  /** What the button that opened it offers. */
  readonly purpose: 'newTenant' | 'connect';
  readonly onClose: () => void;
  readonly onConnected: (clusterId: string) => void;
}

const NO_ENGINE = { url: '', ingest_user: '', ingest_password: '', query_user: '', query_password: '' };

/** Makes a tenant: its name, and where its events are stored. What comes next is asked on its page. */
export function ConnectDialog({ purpose, onClose, onConnected }: ConnectDialogProps) {
  const { t } = useTranslation('tenants');
  const [clusterName, setName] = useState('');
  const [place, setPlace] = useState<'platform' | 'own'>('platform');
  const [engine, setEngine] = useState(NO_ENGINE);
  const connect = useCallMutation(connectCluster, { stale: [tenantList, listFleet], quiet: true });
  const isOwn = place === 'own';
  const isReady = clusterName.trim() !== '' && (!isOwn || (engine.url !== '' && engine.ingest_user !== ''));
  const field = (name: keyof typeof NO_ENGINE) => ({
    label: t(`engine.${name}`),
    value: engine[name],
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setEngine((old) => ({ ...old, [name]: value }));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    connect.mutate(
      { input: { clusterName, ...(isOwn ? { engine } : {}) } },
      { onSuccess: ({ clusterId }) => onConnected(clusterId) },
    );
  };
  const reveal = { 'aria-label': t('engine.reveal') };
  return (
    <Dialog onClose={onClose} title={t(`${purpose}.title`)}>
      <form onSubmit={submit}>
        <Stack gap={12}>
          <CallProblem error={connect.error} />
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
          ) : null}
          <DialogActions onCancel={onClose}>
            <Button type="submit" disabled={!isReady} loading={connect.isPending}>
              {t(`${purpose}.submit`)}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}
