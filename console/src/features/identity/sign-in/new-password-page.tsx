import { Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { setPassword, validResetLink, verifyPassToken } from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import type { CallError } from '../../../lib/call.ts';
import { notify } from '../../../lib/notify.ts';
import { serverText } from '../../../lib/server-text.ts';
import { callQuery, useCallMutation } from '../../../lib/use-call.ts';
import { FormProblem } from '../../../ui/form-problem.tsx';
import { AuthCard } from './auth-card.tsx';
import { isComplete, NewPasswordFields, NO_PASSWORD, passwordProblem } from './new-password-fields.tsx';
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
      <FormProblem>{isGone ? t('link.gone') : serverText(error) || t('signIn.failed')}</FormProblem>
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
  const [fresh, setFresh] = useState(NO_PASSWORD);
  const save = useCallMutation(setPassword, { quiet: true });
  const isReady = isComplete(fresh);
  const submit = () => {
    if (!isReady) return;
    save.mutate(
      { input: { token, password: fresh.next } },
      {
        onSuccess: () => {
          notify('done', t('password.changed'), t('link.signIn'));
          void navigate('/auth/login');
        },
      },
    );
  };
  return (
    <AuthCard title={title} onSubmit={submit}>
      {save.error ? (
        <FormProblem>
          {save.error.status === 404 ? t('link.gone') : passwordProblem(save.error, t)}
        </FormProblem>
      ) : null}
      <Text c="dimmed">{t('link.for', { email })}</Text>
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <NewPasswordFields value={fresh} onChange={setFresh} autoFocus />
      <PasswordRuleList password={fresh.next} />
      <Button type="submit" size="sm" fullWidth disabled={!isReady} loading={save.isPending}>
        {t('link.submit')}
      </Button>
    </AuthCard>
  );
}
