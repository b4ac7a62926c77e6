import { Alert, Button, Group, NumberInput, PasswordInput, Select, Textarea, TextInput } from '@mantine/core';
import {
  LDAP_SECURITIES,
  type LdapDirectory,
  type OutputOf,
  readSignInSettings,
  saveLdapDirectory,
  testLdapDirectory,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../../lib/notify.ts';
import { serverText } from '../../../lib/server-text.ts';
import { useUnsavedWork } from '../../../lib/unsaved-work.ts';
import { useCallMutation } from '../../../lib/use-call.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import { CallProblem } from '../../../ui/form-problem.tsx';
import { SettingsSection } from '../../../ui/settings-section.tsx';

interface DirectoryFormProps {
  readonly orgId: string;
  readonly mayChange: boolean;
  readonly settings: OutputOf<typeof readSignInSettings>;
}

const EMPTY: LdapDirectory = {
  host: '',
  port: 636,
  security: 'ldaps',
  ca_certificate: '',
  base_dn: '',
  user_filter: '(mail={email})',
  bind_dn: '',
};

/** The LDAP directory that knows the passwords, tried with a real look-up before it is relied on. */
export function DirectoryForm({ orgId, mayChange, settings }: DirectoryFormProps) {
  const { t } = useTranslation('organizations');
  const { has_password = false, ...stored } = settings.directory ?? { ...EMPTY, has_password: false };
  const { draft, change } = useDraft<LdapDirectory>(stored);
  const [password, setPassword] = useState('');
  useUnsavedWork(password !== '');
  const [email, setEmail] = useState('');
  const save = useCallMutation(saveLdapDirectory, { stale: [readSignInSettings], quiet: true });
  const test = useCallMutation(testLdapDirectory, { quiet: true });
  const directory = { ...draft, ...(password === '' ? {} : { bind_password: password }) };
  const error = save.error ?? test.error;
  const onSaved = () => {
    setPassword('');
    notify('done', t('saved'));
  };
  const text = (name: 'host' | 'base_dn' | 'user_filter' | 'bind_dn') => ({
    label: t(`directory.${name}`),
    value: draft[name],
    readOnly: !mayChange,
    onChange: (event: { currentTarget: { value: string } }) => change({ [name]: event.currentTarget.value }),
  });
  return (
    <SettingsSection
      title={t('directory.title')}
      help={t('directory.help')}
      actions={
        mayChange ? (
          <Button
            loading={save.isPending}
            onClick={() => save.mutate({ params: { orgId }, input: directory }, { onSuccess: onSaved })}
          >
            {t('save')}
          </Button>
        ) : null
      }
    >
      <CallProblem error={error} />
      <Group grow align="end">
        <TextInput {...text('host')} />
        <NumberInput
          label={t('directory.port')}
          min={1}
          max={65_535}
          value={draft.port}
          readOnly={!mayChange}
          onChange={(value) => change({ port: Number(value) })}
        />
        <Select
          label={t('directory.security')}
          value={draft.security}
          readOnly={!mayChange}
          allowDeselect={false}
          onChange={(value) =>
            change({ security: LDAP_SECURITIES.find((one) => one === value) ?? draft.security })
          }
          data={LDAP_SECURITIES.map((value) => ({ value, label: t(`directory.securities.${value}`) }))}
        />
      </Group>
      <TextInput {...text('base_dn')} placeholder="dc=example,dc=org" />
      <TextInput {...text('user_filter')} description={t('directory.filterHelp')} />
      <TextInput {...text('bind_dn')} />
      <PasswordInput
        label={t('directory.bind_password')}
        value={password}
        readOnly={!mayChange}
        autoComplete="new-password"
        placeholder={has_password ? t('directory.kept') : undefined}
        visibilityToggleButtonProps={{ 'aria-label': t('directory.reveal') }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Textarea
        label={t('directory.ca_certificate')}
        value={draft.ca_certificate}
        readOnly={!mayChange}
        autosize
        minRows={2}
        maxRows={6}
        onChange={(event) => change({ ca_certificate: event.currentTarget.value })}
      />
      {mayChange ? (
        <Group align="end" gap={8}>
          <TextInput
            label={t('directory.testWith')}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Button
            variant="default"
            disabled={email.trim() === ''}
            loading={test.isPending}
            onClick={() => test.mutate({ params: { orgId }, input: { ...directory, emailId: email } })}
          >
            {t('directory.test')}
          </Button>
        </Group>
      ) : null}
      {test.data ? (
        <Alert color={test.data.found ? 'teal' : 'gray'} variant="light" p={10} role="status">
          {serverText({ ...test.data, message: test.data.answer })}
        </Alert>
      ) : null}
    </SettingsSection>
  );
}
