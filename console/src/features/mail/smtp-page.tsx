import {
  Alert,
  Button,
  Checkbox,
  Group,
  Input,
  NumberInput,
  PasswordInput,
  SegmentedControl,
  TextInput,
} from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type OutputOf, readSmtp, removeSmtp, SMTP_SECURITIES, saveSmtp, testSmtp } from '@tyrian/contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { serverText } from '../../lib/server-text.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { useUnsavedWork } from '../../lib/unsaved-work.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { CallProblem } from '../../ui/form-problem.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageLayout } from '../../ui/page-layout.tsx';
import { SettingsPage, SettingsSection } from '../../ui/settings-section.tsx';

type Stored = OutputOf<typeof readSmtp>['settings'];

const EMPTY = {
  host: '',
  port: 587,
  security: 'starttls' as (typeof SMTP_SECURITIES)[number],
  verify_certificate: true,
  user: '',
  from_name: 'Tyrian',
  from_address: '',
};

/** The mail server of the platform, tried with a real mail. */
export function SmtpPage() {
  const { t } = useTranslation('mail');
  const smtp = useQuery(callQuery(readSmtp, {}));
  return (
    <PageLayout scrolls head={<PageHead icon={IconMail} title={t('smtp.title')} />}>
      {smtp.isLoadingError ? <ErrorPanel error={smtp.error} onRetry={() => void smtp.refetch()} /> : null}
      {smtp.data ? <SmtpForm key={smtp.data.settings?.changed ?? 0} stored={smtp.data.settings} /> : null}
    </PageLayout>
  );
}

interface FormPartProps {
  readonly draft: typeof EMPTY;
  readonly mayChange: boolean;
  readonly change: (part: Partial<typeof EMPTY>) => void;
}

function SmtpForm({ stored }: { readonly stored: Stored }) {
  const { t } = useTranslation('mail');
  const { tags } = useSignedIn();
  const mayChange = tags.includes('root');
  const { draft, change } = useDraft(stored ? pick(stored) : EMPTY);
  const [password, setPassword] = useState('');
  useUnsavedWork(password !== '');
  const save = useCallMutation(saveSmtp, { stale: [readSmtp], quiet: true });
  const settings = { ...draft, ...(password === '' ? {} : { password }) };
  const isReady = draft.host.trim() !== '' && draft.from_address.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && mayChange) {
      save.mutate({ input: settings }, { onSuccess: () => notify('done', t('saved')) });
    }
  };
  const part = { draft, mayChange, change };
  return (
    <form onSubmit={submit}>
      <SettingsPage>
        {stored ? null : (
          <Alert color="gray" variant="light" p={10}>
            {t('smtp.unset')}
          </Alert>
        )}
        <CallProblem error={save.error} />
        <ServerSection {...part} />
        <SettingsSection title={t('smtp.account')} help={t('smtp.accountHelp')}>
          <TextField {...part} name="user" autoComplete="off" />
          <PasswordInput
            label={t('smtp.password')}
            value={password}
            readOnly={!mayChange}
            autoComplete="new-password"
            placeholder={stored?.has_password ? t('smtp.kept') : undefined}
            visibilityToggleButtonProps={{ 'aria-label': t('smtp.reveal') }}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        </SettingsSection>
        <SenderSection {...part} isStored={stored !== null} isReady={isReady} isSaving={save.isPending} />
        {mayChange ? <SmtpTest settings={settings} isReady={isReady} /> : null}
      </SettingsPage>
    </form>
  );
}

interface TextFieldProps extends FormPartProps {
  readonly name: 'host' | 'user' | 'from_name' | 'from_address';
  readonly type?: string;
  readonly placeholder?: string;
  readonly autoComplete?: string;
}

function TextField({ draft, mayChange, change, name, ...rest }: TextFieldProps) {
  const { t } = useTranslation('mail');
  return (
    <TextInput
      {...rest}
      label={t(`smtp.${name}`)}
      value={draft[name]}
      readOnly={!mayChange}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  );
}

/** Where the mail server is and how the connection to it is kept secret. */
function ServerSection(part: FormPartProps) {
  const { t } = useTranslation('mail');
  const { draft, mayChange, change } = part;
  return (
    <SettingsSection title={t('smtp.server')} help={t('smtp.serverHelp')}>
      <Group grow align="end">
        <TextField {...part} name="host" placeholder="mail.example.org" />
        <NumberInput
          label={t('smtp.port')}
          min={1}
          max={65_535}
          allowDecimal={false}
          thousandSeparator=""
          value={draft.port}
          readOnly={!mayChange}
          onChange={(value) => change({ port: Number(value) })}
        />
      </Group>
      <Input.Wrapper label={t('smtp.security')} labelElement="div">
        <SegmentedControl
          aria-label={t('smtp.security')}
          value={draft.security}
          disabled={!mayChange}
          display="flex"
          w="fit-content"
          onChange={(value) =>
            change({ security: SMTP_SECURITIES.find((one) => one === value) ?? draft.security })
          }
          data={SMTP_SECURITIES.map((value) => ({ value, label: t(`smtp.securities.${value}`) }))}
        />
      </Input.Wrapper>
      <Checkbox
        label={t('smtp.verify')}
        description={t('smtp.verifyHelp')}
        checked={draft.verify_certificate}
        disabled={!mayChange || draft.security === 'none'}
        onChange={(event) => change({ verify_certificate: event.currentTarget.checked })}
      />
    </SettingsSection>
  );
}

interface SenderSectionProps extends FormPartProps {
  readonly isStored: boolean;
  readonly isReady: boolean;
  readonly isSaving: boolean;
}

/** Whom mails come from; the last part of the form, so that its buttons stand here. */
function SenderSection({ isStored, isReady, isSaving, ...part }: SenderSectionProps) {
  const { t } = useTranslation('mail');
  return (
    <SettingsSection
      title={t('smtp.sender')}
      help={t('smtp.senderHelp')}
      actions={
        part.mayChange ? (
          <>
            <Button type="submit" disabled={!isReady} loading={isSaving}>
              {t('save')}
            </Button>
            {isStored ? <RemoveButton /> : null}
          </>
        ) : null
      }
    >
      <TextField {...part} name="from_name" />
      <TextField {...part} name="from_address" type="email" />
    </SettingsSection>
  );
}

function RemoveButton() {
  const { t } = useTranslation('mail');
  const remove = useCallMutation(removeSmtp, { stale: [readSmtp] });
  return (
    <ConfirmButton
      variant="default"
      loading={remove.isPending}
      title={t('smtp.removeAsk')}
      consequence={t('smtp.removeText')}
      confirmLabel={t('smtp.remove')}
      onConfirm={() => remove.mutate({ input: {} })}
    />
  );
}

function pick(stored: NonNullable<Stored>): typeof EMPTY {
  const { host, port, security, verify_certificate, user, from_name, from_address } = stored;
  return { host, port, security, verify_certificate, user, from_name, from_address };
}

interface SmtpTestProps {
  readonly settings: typeof EMPTY & { readonly password?: string };
  readonly isReady: boolean;
}

/** A real mail with the settings as they stand in the form; what the server said is shown as it said it. */
function SmtpTest({ settings, isReady }: SmtpTestProps) {
  const { t } = useTranslation('mail');
  const { user } = useSignedIn();
  const [to, setTo] = useState(user.email);
  const test = useCallMutation(testSmtp, { quiet: true });
  return (
    <SettingsSection
      title={t('smtp.test')}
      help={t('smtp.testHelp')}
      actions={
        <Button
          variant="default"
          disabled={!isReady || to.trim() === ''}
          loading={test.isPending}
          onClick={() => test.mutate({ input: { to: to.trim(), settings } })}
        >
          {t('smtp.send')}
        </Button>
      }
    >
      <TextInput
        type="email"
        label={t('smtp.to')}
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <CallProblem error={test.error} />
      {test.data ? (
        <Alert
          color={test.data.accepted ? 'teal' : 'red'}
          variant="light"
          p={10}
          role="status"
          title={t(test.data.accepted ? 'smtp.accepted' : 'smtp.refused', { ms: test.data.duration_ms })}
        >
          <span className="mono">{serverText({ ...test.data, message: test.data.answer })}</span>
        </Alert>
      ) : null}
    </SettingsSection>
  );
}
