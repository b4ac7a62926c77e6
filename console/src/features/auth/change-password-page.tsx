import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { IconCheck, IconCircle, IconKey } from '@tabler/icons-react';
import { brokenPasswordRules, changePassword, PASSWORD_RULES } from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { notify } from '../../lib/notify.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import classes from './change-password-page.module.css';

/** Old, new, repeat, with the rules ticked off while typing; other sessions of the user end. */
export function ChangePasswordPage() {
  const { t } = useTranslation('auth');
  const navigate = useNavigate();
  const [old, setOld] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const change = useCallMutation(changePassword, { quiet: true });
  const broken = brokenPasswordRules(next);
  const isReady = old !== '' && broken.length === 0 && next === again;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    change.mutate(
      { input: { old_password: old, new_password: next } },
      {
        onSuccess: ({ ended_sessions }) => {
          notify('done', t('password.changed'), t('password.ended', { count: ended_sessions }));
          void navigate('/');
        },
      },
    );
  };
  const reveal = { 'aria-label': t('signIn.showPassword') };
  return (
    <PageLayout scrolls head={<PageHead icon={IconKey} title={t('password.title')} />}>
      <form onSubmit={submit} className={classes.form}>
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
        <div className={classes.rules}>
          <Text fw={600} mb={8}>
            {t('password.rules.title')}
          </Text>
          <ul>
            {PASSWORD_RULES.map((rule) => {
              const isKept = next !== '' && !broken.includes(rule);
              return (
                <li key={rule} data-kept={isKept || undefined}>
                  {isKept ? <IconCheck size={14} aria-hidden /> : <IconCircle size={14} aria-hidden />}
                  {t(`password.rules.${rule}`)}
                </li>
              );
            })}
          </ul>
          <Text size="xs" c="dimmed">
            {t('password.rules.history')}
          </Text>
        </div>
      </form>
    </PageLayout>
  );
}
