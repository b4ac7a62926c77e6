import { Alert, Button, PasswordInput, Select, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { LOCALES, type Locale, login } from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { APP_VERSION, PRODUCT_NAME } from '../../lib/app-version.ts';
import { CallError, call } from '../../lib/call.ts';
import { landingTarget, rootTarget } from '../../lib/landing.ts';
import { LANGUAGE_NAMES } from '../../lib/language-names.ts';
import { notify } from '../../lib/notify.ts';
import { goAndReload } from '../../lib/page-reload.ts';
import { useSession } from '../../lib/session-store.ts';
import { changeSettings, useSettings } from '../../lib/settings.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import { beginSession } from './establish-session.ts';
import classes from './sign-in-page.module.css';

/** One quiet card: email, password, sign in. The error stands above the fields that it concerns. */
export function SignInPage() {
  const { t } = useTranslation('auth');
  const session = useSession();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation<void, CallError>({
    mutationFn: () => openSession(email, password),
    meta: { quiet: true },
    onError: (error) => notify('failed', error.message || t('signIn.failed')),
  });
  if (session && signIn.isIdle) return <Navigate to={rootTarget(session)} replace />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <main className={classes.page}>
      <form className={classes.card} onSubmit={submit} aria-labelledby="sign-in-title">
        <div className={classes.brand}>
          <span className={classes.mark} aria-hidden />
          <Title order={1} id="sign-in-title">
            {PRODUCT_NAME}
          </Title>
        </div>
        {signIn.error ? (
          <Alert color="red" variant="light" p={10} role="alert">
            {signIn.error.message || t('signIn.failed')}
          </Alert>
        ) : null}
        <TextInput
          size="sm"
          type="email"
          autoComplete="username"
          label={t('signIn.email')}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          required
          withAsterisk={false}
          autoFocus
        />
        <PasswordInput
          size="sm"
          autoComplete="current-password"
          label={t('signIn.password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
        />
        <Button type="submit" size="sm" fullWidth loading={signIn.isPending}>
          {t('signIn.submit')}
        </Button>
      </form>
      <footer className={classes.foot}>
        <LanguageSelect />
        <span>{APP_VERSION}</span>
      </footer>
    </main>
  );
}

function LanguageSelect() {
  const { t } = useTranslation('auth');
  const { locale } = useSettings();
  return (
    <Select
      aria-label={t('signIn.language')}
      variant="unstyled"
      w={120}
      allowDeselect={false}
      value={locale}
      onChange={(next) => next && changeSettings({ locale: next as Locale })}
      data={LOCALES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
    />
  );
}

/** Signs in, establishes the session and goes to the landing page of the role. */
async function openSession(emailId: string, password: string): Promise<void> {
  const record = await call(login, { input: { emailId, password }, sessionFlow: true });
  // Whoever needs a second factor has no session yet; loading stops, and the card says that sign-in failed.
  if (record.mfa_flag !== 'disabled' || !record.SSID) throw new CallError('failed', '', 200, null);
  const session = await beginSession(record);
  const stored = readStored<string>('historyUrl') ?? null;
  writeStored('historyUrl', undefined);
  await goAndReload(landingTarget(session, stored));
}
