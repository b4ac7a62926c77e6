import { Anchor, Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { UserAccess } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate } from 'react-router';
import type { CallError } from '../../../lib/call.ts';
import { serverText } from '../../../lib/server-text.ts';
import { FormProblem } from '../../../ui/form-problem.tsx';
import { AuthCard } from './auth-card.tsx';
import { enter } from './complete-sign-in.ts';
import { OtpCodeInput } from './otp-code-input.tsx';
import { OtpWays } from './otp-ways.tsx';
import { RecoveryCodesPanel } from './recovery-codes-panel.tsx';
import { keepProgress, readProgress, type SignInProgress } from './sign-in-progress.ts';
import { TotpSecret } from './totp-secret.tsx';
import { type OtpFailure, useVerifyOtp } from './use-verify-otp.ts';

/** The second step: a code, a passkey, or a recovery code; at the first time, the QR code to set an app up. */
export function VerifyOtpPage() {
  const [progress] = useState(readProgress);
  // After a reload the first step is lost: begin again.
  return progress ? <SecondStep progress={progress} /> : <Navigate to="/auth/login" replace />;
}

type Way = 'app' | 'mail' | 'recovery';

function SecondStep({ progress }: { readonly progress: SignInProgress }) {
  const { t } = useTranslation('auth');
  const { challenge } = progress;
  const [way, setWay] = useState<Way>(challenge.methods[0] === 'mail' ? 'mail' : 'app');
  const [opened, setOpened] = useState<{ record: UserAccess; codes: readonly string[] } | null>(null);
  const verify = useVerifyOtp(progress, (record, codes) => {
    if (codes.length === 0) return goOn(record);
    // The codes are shown once: the session waits until they have been seen.
    setOpened({ record, codes });
    return Promise.resolve();
  });
  if (opened) return <KeptCodes {...opened} />;
  const usesCode = challenge.methods.includes('totp') || way !== 'app';
  return (
    <AuthCard title={t(challenge.enrol ? 'otp.enrolTitle' : 'otp.title')} wide={challenge.enrol !== null}>
      <OtpFailureAlert failure={verify.failure} />
      {challenge.enrol && way === 'app' ? (
        <>
          <Text c="dimmed">{t('otp.enrolText')}</Text>
          <TotpSecret {...challenge.enrol} />
        </>
      ) : (
        <Text c="dimmed">{t(usesCode ? `otp.text.${way}` : 'otp.text.passkey')}</Text>
      )}
      {usesCode && verify.canGoOn ? (
        <OtpCodeInput
          key={`${way} ${verify.attempt}`}
          kind={way === 'recovery' ? 'recovery' : 'digits'}
          isBusy={verify.isPending}
          isInvalid={verify.failure?.status === 'invalid'}
          onCode={verify.withCode}
        />
      ) : null}
      {verify.canGoOn ? (
        <OtpWays progress={progress} way={way} onWay={setWay} onPasskey={verify.withPasskey} />
      ) : null}
      <Anchor component={Link} to="/auth/login" size="sm" onClick={() => keepProgress(null)}>
        {t('otp.back')}
      </Anchor>
    </AuthCard>
  );
}

/** The recovery codes of an enrolment; the session begins once they are kept. */
function KeptCodes({ record, codes }: { readonly record: UserAccess; readonly codes: readonly string[] }) {
  const { t } = useTranslation('auth');
  const entering = useMutation<void, CallError>({ mutationFn: () => goOn(record), meta: { quiet: true } });
  return (
    <AuthCard title={t('recovery.title')} wide onSubmit={() => entering.mutate()}>
      {entering.error ? <FormProblem>{serverText(entering.error) || t('signIn.failed')}</FormProblem> : null}
      <RecoveryCodesPanel codes={codes} />
      <Button type="submit" size="sm" fullWidth loading={entering.isPending}>
        {t('recovery.kept')}
      </Button>
    </AuthCard>
  );
}

async function goOn(record: UserAccess): Promise<void> {
  await enter(record);
  keepProgress(null);
}

function OtpFailureAlert({ failure }: { readonly failure: OtpFailure | null }) {
  const { t } = useTranslation('auth');
  if (!failure) return null;
  const text =
    failure.status === 'other'
      ? failure.text || t('signIn.failed')
      : t(`otp.failure.${failure.status}`, { count: failure.attemptsLeft });
  return <FormProblem>{text}</FormProblem>;
}
