import { Alert, Button, PasswordInput, Stack } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { brokenPasswordRules, changePassword } from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import classes from './change-password-page.module.css';
import { FactorSection } from './factor-section.tsx';
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
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const change = useCallMutation(changePassword, { quiet: true });
  const isReady = old !== '' && brokenPasswordRules(next).length === 0 && next === again;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    change.mutate(
      { input: { old_password: old, new_password: next } },
      {
        onSuccess: ({ ended_sessions }) => {
          notify('done', t('password.changed'), t('password.ended', { count: ended_sessions }));
          for (const clear of [setOld, setNext, setAgain]) clear('');
        },
      },
    );
  };
  const reveal = { 'aria-label': t('signIn.showPassword') };
  return (
    <form onSubmit={submit} className={classes.form} aria-label={t('password.title')}>
      <Stack gap={16}>
        {change.error ? (
          <Alert color="red" variant="light" role="alert">
            {change.error.message || t('password.failed')}
          </Alert>
        ) : null}
        <PasswordInput
          label={t('password.old')}
          autoComplete="current-password"
          value={old}
          onChange={(event) => setOld(event.currentTarget.value)}
          visibilityToggleButtonProps={reveal}
        />
        <PasswordInput
          label={t('password.new')}
          autoComplete="new-password"
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
          visibilityToggleButtonProps={reveal}
        />
        <PasswordInput
          label={t('password.again')}
          autoComplete="new-password"
          value={again}
          onChange={(event) => setAgain(event.currentTarget.value)}
          error={again !== '' && again !== next ? t('password.differs') : undefined}
          visibilityToggleButtonProps={reveal}
        />
        <Button type="submit" disabled={!isReady} loading={change.isPending} w="fit-content">
          {t('password.submit')}
        </Button>
      </Stack>
      <PasswordRuleList password={next} />
    </form>
  );
}
