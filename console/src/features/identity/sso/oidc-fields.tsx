import { PasswordInput, TextInput } from '@mantine/core';
import type { InputOf, OutputOf, readSsoSettings, saveSsoSettings } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useDraft } from '../../../lib/use-draft.ts';

interface OidcFieldsProps {
  readonly stored: OutputOf<typeof readSsoSettings>['oidc'];
  readonly disabled: boolean;
  readonly onChange: (settings: InputOf<typeof saveSsoSettings> | null) => void;
}

/** Issuer, client and its secret, which is written and never shown. */
export function OidcFields({ stored, disabled, onChange }: OidcFieldsProps) {
  const { t } = useTranslation('sso');
  const { draft: fields, change: keep } = useDraft({
    issuer: stored?.issuer ?? '',
    client_id: stored?.client_id ?? '',
    scopes: stored?.scopes ?? 'openid email profile',
    client_secret: '',
  });
  const change = (part: Partial<typeof fields>) => {
    const next = { ...fields, ...part };
    keep(part);
    const { client_secret, ...oidc } = next;
    const isComplete = oidc.issuer.trim() !== '' && oidc.client_id.trim() !== '';
    const secret = client_secret === '' ? {} : { client_secret };
    onChange(isComplete ? { kind: 'oidc', oidc: { ...oidc, ...secret } } : null);
  };
  return (
    <>
      <TextInput
        label={t('settings.issuer')}
        description={t('settings.issuerHelp')}
        type="url"
        value={fields.issuer}
        onChange={(event) => change({ issuer: event.currentTarget.value })}
        disabled={disabled}
      />
      <TextInput
        label={t('settings.clientId')}
        value={fields.client_id}
        onChange={(event) => change({ client_id: event.currentTarget.value })}
        disabled={disabled}
      />
      <PasswordInput
        label={t('settings.clientSecret')}
        description={stored?.has_secret ? t('settings.secretKept') : undefined}
        autoComplete="off"
        value={fields.client_secret}
        onChange={(event) => change({ client_secret: event.currentTarget.value })}
        disabled={disabled}
        visibilityToggleButtonProps={{ 'aria-label': t('settings.showSecret') }}
      />
      <TextInput
        label={t('settings.scopes')}
        value={fields.scopes}
        onChange={(event) => change({ scopes: event.currentTarget.value })}
        disabled={disabled}
      />
    </>
  );
}
