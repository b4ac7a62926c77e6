import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../ui/copy-button.tsx';
import classes from './auth-card.module.css';
import { QrCode } from './qr-code.tsx';

interface TotpSecretProps {
  readonly secret: string;
  readonly uri: string;
}

/** What an authenticator app needs: the QR code, and the secret to type where there is no camera. */
export function TotpSecret({ secret, uri }: TotpSecretProps) {
  const { t } = useTranslation('auth');
  return (
    <>
      <QrCode value={uri} label={t('otp.qr')} />
      <div>
        <Text size="xs" c="dimmed">
          {t('otp.secret')}
        </Text>
        <div className={classes.secret}>
          <span>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</span>
          <CopyButton value={secret} />
        </div>
      </div>
    </>
  );
}
