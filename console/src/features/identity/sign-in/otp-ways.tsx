import { Button, Text } from '@mantine/core';
import { IconFingerprint, IconLifebuoy, IconMail, IconShieldLock } from '@tabler/icons-react';
import { sendOtpMail } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCallMutation } from '../../../lib/use-call.ts';
import classes from './auth-card.module.css';
import type { SignInProgress } from './sign-in-progress.ts';

type Way = 'app' | 'mail' | 'recovery';

interface OtpWaysProps {
  readonly progress: SignInProgress;
  readonly way: Way;
  readonly onWay: (way: Way) => void;
  readonly onPasskey: () => void;
}

/** The other ways to take the second step, as far as the user has them. */
export function OtpWays({ progress, way, onWay, onPasskey }: OtpWaysProps) {
  const { t } = useTranslation('auth');
  const { challenge } = progress;
  const [sentTo, setSentTo] = useState('');
  const send = useCallMutation(sendOtpMail);
  const mail = () =>
    send.mutate(
      { input: { otp_token: challenge.otp_token } },
      {
        onSuccess: ({ sent_to }) => {
          setSentTo(sent_to);
          onWay('mail');
        },
      },
    );
  const hasOthers = challenge.recovery || challenge.methods.length > 1 || !challenge.methods.includes('totp');
  if (!hasOthers) return null;
  const quiet = { variant: 'subtle', size: 'compact-sm', px: 6 } as const;
  return (
    <div className={classes.choices}>
      {sentTo && way === 'mail' ? (
        <Text size="sm" role="status">
          {t('otp.sent', { address: sentTo })}
        </Text>
      ) : null}
      {challenge.methods.includes('passkey') ? (
        <Button {...quiet} leftSection={<IconFingerprint size={15} aria-hidden />} onClick={onPasskey}>
          {t('otp.ways.passkey')}
        </Button>
      ) : null}
      {challenge.methods.includes('totp') && way !== 'app' ? (
        <Button
          {...quiet}
          leftSection={<IconShieldLock size={15} aria-hidden />}
          onClick={() => onWay('app')}
        >
          {t('otp.ways.app')}
        </Button>
      ) : null}
      {challenge.methods.includes('mail') ? (
        <Button
          {...quiet}
          leftSection={<IconMail size={15} aria-hidden />}
          loading={send.isPending}
          onClick={mail}
        >
          {t(sentTo ? 'otp.ways.mailAgain' : 'otp.ways.mail')}
        </Button>
      ) : null}
      {challenge.recovery && way !== 'recovery' ? (
        <Button
          {...quiet}
          leftSection={<IconLifebuoy size={15} aria-hidden />}
          onClick={() => onWay('recovery')}
        >
          {t('otp.ways.recovery')}
        </Button>
      ) : null}
    </div>
  );
}
