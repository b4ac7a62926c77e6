import { Button, PasswordInput, Stack } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { changePassword } from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { FormProblem } from '../../ui/form-problem.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import classes from './change-password-page.module.css';
import { FactorSection } from './factor-section.tsx';
import { isComplete, NewPasswordFields, NO_PASSWORD, passwordProblem } from './new-password-fields.tsx';
import { PasswordRuleList } from './password-rule-list.tsx';
import { SessionSection } from './session-section.tsx';

/** How one signs in: the password with its rules, the second factor, and the sessions that are open. */
export function ChangePasswordPage() {
  const { t } = useTranslation('auth');
  return (
    <PageLayout scrolls head={<PageHead icon={IconKey} title={t('password.title')} />}>
      <div className={classes.sections}>
        <PasswordForm />
        <FactorSection />
        <SessionSection />
      </div>
    </PageLayout>
  );
}

/** Old, new, repeat, with the rules ticked off while typing; other sessions of the user end. */
function PasswordForm() {
  const { t } = useTranslation('auth');
  const [old, setOld] = useState('');
  const [fresh, setFresh] = useState(NO_PASSWORD);
  const change = useCallMutation(changePassword, { quiet: true });
  const isReady = old !== '' && isComplete(fresh);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    change.mutate(
      { input: { old_password: old, new_password: fresh.next } },
      {
        onSuccess: ({ ended_sessions }) => {
          notify('done', t('password.changed'), t('password.ended', { count: ended_sessions }));
          setOld('');
          setFresh(NO_PASSWORD);
        },
      },
    );
  };
  return (
    <form onSubmit={submit} className={classes.form} aria-label={t('password.title')}>
      <Stack gap={16}>
        {change.error ? <FormProblem>{passwordProblem(change.error, t)}</FormProblem> : null}
        <PasswordInput
          label={t('password.old')}
          autoComplete="current-password"
          value={old}
          onChange={(event) => setOld(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
        />
        <NewPasswordFields value={fresh} onChange={setFresh} />
        <Button type="submit" disabled={!isReady} loading={change.isPending} w="fit-content">
          {t('password.submit')}
        </Button>
      </Stack>
      <PasswordRuleList password={fresh.next} />
    </form>
  );
}
