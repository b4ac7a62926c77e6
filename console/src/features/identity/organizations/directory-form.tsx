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
  const save = useCallMutation(saveLdapDirectory, { stale: [readSignInSettings], quiet: true });
  const input = { ...draft, ...(password === '' ? {} : { bind_password: password }) };
  const onSuccess = () => {
    setPassword('');
    notify('done', t('saved'));
  };
  const part = { draft, mayChange, change };
  return (
    <SettingsSection
      title={t('directory.title')}
      help={t('directory.help')}
      actions={
        mayChange ? (
          <Button
            loading={save.isPending}
            onClick={() => save.mutate({ params: { orgId }, input }, { onSuccess })}
          >
            {t('save')}
          </Button>
        ) : null
      }
    >
      <CallProblem error={save.error} />
      <ServerFields {...part} />
      <TextField {...part} name="base_dn" placeholder="dc=example,dc=org" />
      <TextField {...part} name="user_filter" description={t('directory.filterHelp')} />
      <TextField {...part} name="bind_dn" />
      <PasswordInput
        label={t('directory.bind_password')}
        value={password}
        readOnly={!mayChange}
        autoComplete="new-password"
        placeholder={has_password ? t('directory.kept') : undefined}
        visibilityToggleButtonProps={{ 'aria-label': t('directory.reveal') }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <CertificateField {...part} />
      {mayChange ? <DirectoryTest orgId={orgId} directory={input} /> : null}
    </SettingsSection>
  );
}

interface PartProps {
  readonly draft: LdapDirectory;
  readonly mayChange: boolean;
  readonly change: (part: Partial<LdapDirectory>) => void;
}

interface TextFieldProps extends PartProps {
  readonly name: 'host' | 'base_dn' | 'user_filter' | 'bind_dn';
  readonly placeholder?: string;
  readonly description?: string;
}

function TextField({ draft, mayChange, change, name, ...rest }: TextFieldProps) {
  const { t } = useTranslation('organizations');
  return (
    <TextInput
      {...rest}
      label={t(`directory.${name}`)}
      value={draft[name]}
      readOnly={!mayChange}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  );
}

function ServerFields(part: PartProps) {
  const { t } = useTranslation('organizations');
  const { draft, mayChange, change } = part;
  return (
    <Group grow align="end">
      <TextField {...part} name="host" />
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
        onChange={(value) => value && change({ security: value })}
        data={LDAP_SECURITIES.map((value) => ({ value, label: t(`directory.securities.${value}`) }))}
      />
    </Group>
  );
}

function CertificateField({ draft, mayChange, change }: PartProps) {
  const { t } = useTranslation('organizations');
  return (
    <Textarea
      label={t('directory.ca_certificate')}
      value={draft.ca_certificate}
      readOnly={!mayChange}
      autosize
      minRows={2}
      maxRows={6}
      onChange={(event) => change({ ca_certificate: event.currentTarget.value })}
    />
  );
}

interface DirectoryTestProps {
  readonly orgId: string;
  /** As it stands in the form, saved or not. */
  readonly directory: LdapDirectory & { readonly bind_password?: string };
}

/** Looks somebody up in the directory and says what it answered. */
function DirectoryTest({ orgId, directory }: DirectoryTestProps) {
  const { t } = useTranslation('organizations');
  const [email, setEmail] = useState('');
  const test = useCallMutation(testLdapDirectory, { quiet: true });
  return (
    <>
      <CallProblem error={test.error} />
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
      {test.data ? (
        <Alert color={test.data.found ? 'teal' : 'gray'} variant="light" p={10} role="status">
          {serverText({ ...test.data, message: test.data.answer })}
        </Alert>
      ) : null}
    </>
  );
}
