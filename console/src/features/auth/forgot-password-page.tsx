import { Alert, Anchor, Button, Text, TextInput } from '@mantine/core';
import { resetUserPassword } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCallMutation } from '../../lib/use-call.ts';
import { AuthCard } from './auth-card.tsx';

/** Asks for a link by mail. What it says is the same whether or not the address has an account. */
export function ForgotPasswordPage() {
  const { t } = useTranslation('auth');
  const [email, setEmail] = useState('');
  const ask = useCallMutation(resetUserPassword, { quiet: true });
  const back = (
    <Anchor component={Link} to="/auth/login" size="sm">
      {t('otp.back')}
    </Anchor>
  );
  if (ask.isSuccess) {
    return (
      <AuthCard title={t('forgot.title')}>
        <Text role="status">{t('forgot.sent')}</Text>
        {back}
      </AuthCard>
    );
  }
  return (
    <AuthCard title={t('forgot.title')} onSubmit={() => ask.mutate({ input: { emailId: email } })}>
      {ask.error ? (
        <Alert color="red" variant="light" p={10} role="alert">
          {ask.error.message || t('signIn.failed')}
        </Alert>
      ) : null}
      <Text c="dimmed">{t('forgot.text')}</Text>
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
      <Button type="submit" size="sm" fullWidth loading={ask.isPending}>
        {t('forgot.submit')}
      </Button>
      {back}
    </AuthCard>
  );
}
