import { Anchor, Button, Text } from '@mantine/core';
import { resetUserPassword } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { serverText } from '../../../lib/server-text.ts';
import { useCallMutation } from '../../../lib/use-call.ts';
import { FormProblem } from '../../../ui/form-problem.tsx';
import { AuthCard } from './auth-card.tsx';
import { EmailField } from './email-field.tsx';

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
      {ask.error ? <FormProblem>{serverText(ask.error) || t('signIn.failed')}</FormProblem> : null}
      <Text c="dimmed">{t('forgot.text')}</Text>
      <EmailField value={email} onChange={setEmail} />
      <Button type="submit" size="sm" fullWidth loading={ask.isPending}>
        {t('forgot.submit')}
      </Button>
      {back}
    </AuthCard>
  );
}
