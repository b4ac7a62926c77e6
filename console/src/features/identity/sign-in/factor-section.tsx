import { Alert, Button, Group, Text } from '@mantine/core';
import { IconDeviceMobile, IconFingerprint } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { readFactors } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverText } from '../../../lib/server-text.ts';
import { callQuery } from '../../../lib/use-call.ts';
import { SettingsSection } from '../../../ui/settings-section.tsx';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import { type FactorChange, FactorDialog } from './factor-dialog.tsx';
import classes from './settings-page.module.css';

/** The second factors of the user: what is set up, what may be added, how many recovery codes are left. */
export function FactorSection() {
  const { t } = useTranslation('auth');
  const { data: factors, error } = useQuery(callQuery(readFactors, {}));
  const [change, setChange] = useState<FactorChange | null>(null);
  if (error) return <Alert color="red">{serverText(error) || t('connectionsFailed')}</Alert>;
  if (!factors) return null;
  const hasAny = factors.totp !== null || factors.passkeys.length > 0;
  const offersPasskey = factors.passkey_origin === window.location.origin;
  return (
    <SettingsSection title={t('factors.title')} help={t('factors.help')}>
      {factors.required ? <Text mb={8}>{t('factors.required')}</Text> : null}
      {hasAny ? null : (
        <Text c="dimmed" mb={12}>
          {t('factors.none')}
        </Text>
      )}
      {hasAny ? (
        <ul className={classes.rows}>
          {factors.totp ? (
            <FactorRow
              kind="totp"
              name={t('factors.app')}
              created={factors.totp.created}
              onRemove={() => setChange({ kind: 'remove', factor: 'totp', name: t('factors.app') })}
            />
          ) : null}
          {factors.passkeys.map(({ id, name, created, last_used }) => (
            <FactorRow
              key={id}
              kind="passkey"
              name={name}
              created={created}
              used={last_used}
              onRemove={() => setChange({ kind: 'remove', factor: 'passkey', id, name })}
            />
          ))}
        </ul>
      ) : null}
      <Group gap={8}>
        {factors.allowed.includes('totp') && !factors.totp ? (
          <Button variant="default" onClick={() => setChange({ kind: 'totp' })}>
            {t('factors.addApp')}
          </Button>
        ) : null}
        {factors.allowed.includes('passkey') && offersPasskey ? (
          <Button variant="default" onClick={() => setChange({ kind: 'passkey' })}>
            {t('factors.addPasskey')}
          </Button>
        ) : null}
        {hasAny ? (
          <Button variant="default" onClick={() => setChange({ kind: 'codes' })}>
            {t('factors.newCodes')}
          </Button>
        ) : null}
        {hasAny ? (
          <Text size="sm" c="dimmed">
            {t('factors.codesLeft', { count: factors.recovery_codes_left })}
          </Text>
        ) : null}
      </Group>
      {factors.allowed.includes('passkey') && !offersPasskey ? (
        <Text size="xs" c="dimmed" mt={8}>
          {factors.passkey_origin
            ? t('factors.passkeyAt', { address: factors.passkey_origin })
            : t('factors.passkeyAddress')}
        </Text>
      ) : null}
      {change ? (
        <FactorDialog change={change} asksPassword={factors.asks_password} onClose={() => setChange(null)} />
      ) : null}
    </SettingsSection>
  );
}

interface FactorRowProps {
  readonly kind: 'totp' | 'passkey';
  readonly name: string;
  readonly created: number;
  readonly used?: number | null;
  readonly onRemove: () => void;
}

function FactorRow({ kind, name, created, used, onRemove }: FactorRowProps) {
  const { t } = useTranslation('auth');
  const Icon = kind === 'totp' ? IconDeviceMobile : IconFingerprint;
  return (
    <li>
      <Icon size={18} aria-hidden />
      <div className={classes.row}>
        <p>{name}</p>
        <p>
          {t('factors.addedOn')} <TimeStamp time={created} />
          {used ? (
            <>
              {' · '}
              {t('factors.usedOn')} <TimeStamp time={used} />
            </>
          ) : null}
        </p>
      </div>
      <Button variant="default" size="xs" aria-label={t('factors.removeWhat', { name })} onClick={onRemove}>
        {t('factors.remove')}
      </Button>
    </li>
  );
}
