import { Button, PasswordInput, Stack } from '@mantine/core';
import { changePassword } from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../../lib/notify.ts';
import { useCallMutation } from '../../../lib/use-call.ts';
import { FormProblem } from '../../../ui/form-problem.tsx';
import { SettingsSection } from '../../../ui/settings-section.tsx';
import { isComplete, NewPasswordFields, NO_PASSWORD, passwordProblem } from './new-password-fields.tsx';
import { PasswordRuleList } from './password-rule-list.tsx';
import classes from './settings-page.module.css';

/** Old, new, repeat, with the rules ticked off while typing; other sessions of the user end. `isAskedFor`: begin there. */
export function PasswordSection({ isAskedFor }: { readonly isAskedFor: boolean }) {
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
    <SettingsSection title={t('password.section')} help={t('password.help')}>
      <form onSubmit={submit} className={classes.form} aria-label={t('password.title')}>
        <Stack gap={16}>
          {change.error ? <FormProblem>{passwordProblem(change.error, t)}</FormProblem> : null}
          <PasswordInput
            label={t('password.old')}
            autoComplete="current-password"
            autoFocus={isAskedFor}
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
    </SettingsSection>
  );
}
