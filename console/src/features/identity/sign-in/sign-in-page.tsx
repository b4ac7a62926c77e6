import { Anchor, Button, PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { beginSso, initUser, login } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useNavigate } from 'react-router';
import { type CallError, call } from '../../../lib/call.ts';
import { rootTarget } from '../../../lib/landing.ts';
import { notify } from '../../../lib/notify.ts';
import { serverText } from '../../../lib/server-text.ts';
import { useSession } from '../../../lib/session-store.ts';
import { AuthCard } from './auth-card.tsx';
import { completeSignIn } from './complete-sign-in.ts';
import { EmailField } from './email-field.tsx';

/** Email, password, sign in; single sign-on where the mail domain has it. What the server refuses is said once. */
export function SignInPage() {
  const { t } = useTranslation('auth');
  const session = useSession();
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [usesSso, setUsesSso] = useState(false);
  const signIn = useMutation<string | null, CallError>({
    mutationFn: async () => {
      if (usesSso) return leaveForProvider(email);
      const answer = await call(login, { input: { emailId: email, password }, sessionFlow: true });
      return completeSignIn(answer, email);
    },
    meta: { quiet: true },
    onSuccess: (next) => {
      if (next) void navigate(next);
    },
    onError: (error) => notify('failed', serverText(error) || t('signIn.failed')),
  });
  if (session && signIn.isIdle) return <Navigate to={rootTarget(session)} replace />;
  // A failure to ask is no obstacle: the password is asked for, and signing in tells what is wrong.
  const findWay = () => {
    if (!/^[^@\s]+@[^@\s]+$/.test(email)) return;
    call(initUser, { input: { emailId: email }, sessionFlow: true })
      .then((way) => setUsesSso(way.auth_type === 'sso' && way.sso_kind !== null))
      .catch(() => setUsesSso(false));
  };
  return (
    <AuthCard onSubmit={() => signIn.mutate()}>
      <EmailField value={email} onChange={setEmail} onBlur={findWay} />
      {usesSso ? null : (
        <PasswordInput
          size="sm"
          autoComplete="current-password"
          label={t('signIn.password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          required
          withAsterisk={false}
          error={signIn.isError}
          aria-invalid={signIn.isError || undefined}
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
        />
      )}
      <Button type="submit" size="sm" fullWidth loading={signIn.isPending}>
        {t(usesSso ? 'signIn.sso' : 'signIn.submit')}
      </Button>
      {usesSso ? (
        <Anchor component="button" type="button" size="sm" onClick={() => setUsesSso(false)}>
          {t('signIn.withPassword')}
        </Anchor>
      ) : null}
      <Anchor component={Link} to="/auth/reset-password/forgot_pass" size="sm">
        {t('signIn.forgot')}
      </Anchor>
    </AuthCard>
  );
}

/** Goes to the identity provider of the organization, which sends the browser back to `/auth/sso/{token}`. */
async function leaveForProvider(emailId: string): Promise<null> {
  const { redirect_url } = await call(beginSso, { input: { emailId }, sessionFlow: true });
  if (/^https?:\/\//.test(redirect_url)) window.location.assign(redirect_url);
  return null;
}
