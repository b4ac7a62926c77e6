import { Alert, Anchor, Button, PasswordInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { brokenPasswordRules, setPassword, validResetLink, verifyPassToken } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import type { CallError } from '../../lib/call.ts';
import { notify } from '../../lib/notify.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { AuthCard } from './auth-card.tsx';
import { PasswordRuleList } from './password-rule-list.tsx';

/** From a link of a mail: whether the link works is asked first, then the password is set, then sign-in follows. */
export function NewPasswordPage() {
  const { t } = useTranslation('auth');
  const { linkType, token = '' } = useParams();
  const isFirst = linkType === undefined;
  const link = useQuery({
    ...callQuery(isFirst ? verifyPassToken : validResetLink, {}, { params: { token }, quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const title = t(isFirst ? 'link.first' : 'link.reset');
  if (link.isPending) {
    return (
      <AuthCard title={title}>
        <Text c="dimmed" role="status">
          {t('link.checking')}
        </Text>
      </AuthCard>
    );
  }
  if (link.error) return <DeadLink title={title} error={link.error} />;
  return <NewPasswordForm title={title} token={token} email={link.data.email_id} />;
}

/** A link that does not work any more, or a server that did not say. */
function DeadLink({ title, error }: { readonly title: string; readonly error: CallError }) {
  const { t } = useTranslation('auth');
  const isGone = error.status === 404;
  return (
    <AuthCard title={title}>
      <Alert color="red" variant="light" p={10} role="alert">
        {isGone ? t('link.gone') : error.message || t('signIn.failed')}
      </Alert>
      <Anchor component={Link} to="/auth/reset-password/forgot_pass" size="sm">
        {t('link.again')}
      </Anchor>
      <Anchor component={Link} to="/auth/login" size="sm">
        {t('otp.back')}
      </Anchor>
    </AuthCard>
  );
}

interface NewPasswordFormProps {
  readonly title: string;
  readonly token: string;
  readonly email: string;
}

function NewPasswordForm({ title, token, email }: NewPasswordFormProps) {
  const { t } = useTranslation('auth');
  const navigate = useNavigate();
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const save = useCallMutation(setPassword, { quiet: true });
  const isReady = brokenPasswordRules(next).length === 0 && next === again;
  const submit = () => {
    if (!isReady) return;
    save.mutate(
      { input: { token, password: next } },
      {
        onSuccess: () => {
          notify('done', t('password.changed'), t('link.signIn'));
          void navigate('/auth/login');
        },
      },
    );
  };
  const reveal = { 'aria-label': t('signIn.showPassword') };
  return (
    <AuthCard title={title} onSubmit={submit}>
      {save.error ? (
        <Alert color="red" variant="light" p={10} role="alert">
          {saidOf(save.error, t)}
        </Alert>
      ) : null}
      <Text c="dimmed">{t('link.for', { email })}</Text>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordInput
        label={t('password.new')}
        autoComplete="new-password"
        value={next}
        onChange={(event) => setNext(event.currentTarget.value)}
        visibilityToggleButtonProps={reveal}
        autoFocus
      />
      <PasswordInput
        label={t('password.again')}
        autoComplete="new-password"
        value={again}
        onChange={(event) => setAgain(event.currentTarget.value)}
        error={again !== '' && again !== next ? t('password.differs') : undefined}
        visibilityToggleButtonProps={reveal}
      />
      <PasswordRuleList password={next} />
      <Button type="submit" size="sm" fullWidth disabled={!isReady} loading={save.isPending}>
        {t('link.submit')}
      </Button>
    </AuthCard>
  );
}

/** In the user's language where the page knows what is wrong, else the server's words. */
function saidOf(error: CallError, t: (key: string) => string): string {
  const details = error.details as { broken?: readonly string[] } | null;
  if (details?.broken?.includes('history')) return t('password.rules.history');
  if (error.status === 404) return t('link.gone');
  return error.message || t('password.failed');
}
