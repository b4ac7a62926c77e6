import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  type InputOf,
  type OutputOf,
  readSignInSettings,
  readSsoSettings,
  type SsoKind,
  saveSsoSettings,
} from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../../lib/notify.ts';
import { callQuery, useCallMutation } from '../../../lib/use-call.ts';
import { ConfirmButton } from '../../../ui/confirm-button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { SettingsSection } from '../../../ui/settings-section.tsx';
import { OidcFields } from './oidc-fields.tsx';
import { SamlFields } from './saml-fields.tsx';

// The identity provider of an organization: what it has to know of us, and what we have to know of it.

type View = OutputOf<typeof readSsoSettings>;
type Settings = InputOf<typeof saveSsoSettings>;

export function SsoSettings({ orgId, mayChange }: { readonly orgId: string; readonly mayChange: boolean }) {
  const [saves, setSaves] = useState(0);
  const params = { orgId };
  const read = useQuery(callQuery(readSsoSettings, {}, { params }));
  if (read.isLoadingError) return <ErrorPanel error={read.error} onRetry={() => void read.refetch()} />;
  if (!read.data) return null;
  const key = `${saves} ${JSON.stringify(read.data)}`;
  const onSaved = () => setSaves((count) => count + 1);
  return <Form key={key} orgId={orgId} view={read.data} mayChange={mayChange} onSaved={onSaved} />;
}

function Form({
  orgId,
  view,
  mayChange,
  onSaved,
}: {
  readonly orgId: string;
  readonly view: View;
  readonly mayChange: boolean;
  readonly onSaved: () => void;
}) {
  const { t } = useTranslation('sso');
  const [kind, setKind] = useState<SsoKind>(view.kind ?? 'saml');
  const [settings, setSettings] = useState<Settings | null>(null);
  const save = useCallMutation(saveSsoSettings, { stale: [readSsoSettings, readSignInSettings] });
  const send = (input: Settings) => {
    const onSuccess = () => {
      notify('done', t(input.kind === 'none' ? 'settings.removed' : 'settings.saved'));
      onSaved();
    };
    save.mutate({ params: { orgId }, input }, { onSuccess });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (settings) send(settings);
  };
  const choose = (next: string) => {
    setKind(next === 'oidc' ? 'oidc' : 'saml');
    setSettings(null);
  };
  return (
    <SettingsSection title={t('settings.title')} help={t('settings.help')}>
      <Stack component="form" onSubmit={submit} gap="md">
        <SegmentedControl
          aria-label={t('settings.kind')}
          value={kind}
          onChange={choose}
          disabled={!mayChange}
          data={[
            { value: 'saml', label: 'SAML 2.0' },
            { value: 'oidc', label: 'OpenID Connect' },
          ]}
        />
        <ServiceFacts kind={kind} service={view.service} />
        {kind === 'saml' ? (
          <SamlFields stored={view.saml} disabled={!mayChange} onChange={setSettings} />
        ) : (
          <OidcFields stored={view.oidc} disabled={!mayChange} onChange={setSettings} />
        )}
        {mayChange ? (
          <Group gap={8}>
            <Button type="submit" loading={save.isPending} disabled={!settings}>
              {t('settings.save')}
            </Button>
            {view.kind ? (
              <ConfirmButton
                variant="default"
                title={t('settings.remove')}
                consequence={t('settings.removeText')}
                confirmLabel={t('settings.remove')}
                onConfirm={() => send({ kind: 'none' })}
              />
            ) : null}
          </Group>
        ) : null}
      </Stack>
    </SettingsSection>
  );
}

/** What is typed into the provider's own form. */
function ServiceFacts({ kind, service }: { readonly kind: SsoKind; readonly service: View['service'] }) {
  const { t } = useTranslation('sso');
  const facts =
    kind === 'saml'
      ? ([
          ['entityId', service.entity_id],
          ['acs', service.acs_url],
          ['slo', service.slo_url],
        ] as const)
      : ([
          ['redirect', service.redirect_uri],
          ['postLogout', service.post_logout_uri],
        ] as const);
  return (
    <Stack gap={8}>
      <Text size="sm" c="dimmed">
        {t(kind === 'saml' ? 'settings.tellSaml' : 'settings.tellOidc')}
      </Text>
      {facts.map(([name, value]) => (
        <TextInput
          key={name}
          label={t(`settings.${name}`)}
          value={value}
          readOnly
          rightSection={<CopyButton value={value} />}
        />
      ))}
    </Stack>
  );
}
