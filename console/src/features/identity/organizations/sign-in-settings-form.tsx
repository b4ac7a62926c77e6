import { Alert, Button, Checkbox, Group, NumberInput, Select, Switch, TagsInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  AUTH_TYPES,
  listOrganizations,
  OTP_METHODS,
  type OutputOf,
  readOrganization,
  readSignInSettings,
  saveMailDomains,
  saveSignInSettings,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isRootUser } from '../../../lib/landing.ts';
import { notify } from '../../../lib/notify.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { useUnsavedWork } from '../../../lib/unsaved-work.ts';
import { callQuery, useCallMutation } from '../../../lib/use-call.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import { ErrorPanel } from '../../../ui/error-panel.tsx';
import { CallProblem } from '../../../ui/form-problem.tsx';
import { SettingsPage, SettingsSection } from '../../../ui/settings-section.tsx';
import { SsoSettings } from '../sso/sso-settings.tsx';
import { DirectoryForm } from './directory-form.tsx';

interface SignInSettingsFormProps {
  readonly orgId: string;
  readonly mayChange: boolean;
}

type Settings = OutputOf<typeof readSignInSettings>;

const STALE = [readSignInSettings, readOrganization, listOrganizations];

/** How the people of an organization sign in, and how long their sessions last. */
export function SignInSettingsForm({ orgId, mayChange }: SignInSettingsFormProps) {
  const settings = useQuery(callQuery(readSignInSettings, {}, { params: { orgId } }));
  const { data } = settings;
  if (settings.isLoadingError) {
    return <ErrorPanel error={settings.error} onRetry={() => void settings.refetch()} />;
  }
  if (!data) return null;
  const shared = { orgId, mayChange, settings: data };
  return (
    <SettingsPage>
      <Method key={JSON.stringify(data)} {...shared} />
      {data.auth_type === 'ldap' || data.directory ? (
        <DirectoryForm key={JSON.stringify(data.directory)} {...shared} />
      ) : null}
      <SsoSettings orgId={orgId} mayChange={mayChange} />
      <Domains key={data.mail_domains.join()} {...shared} />
    </SettingsPage>
  );
}

interface PartProps extends SignInSettingsFormProps {
  readonly settings: Settings;
}

function Method({ orgId, mayChange, settings }: PartProps) {
  const { t } = useTranslation('organizations');
  const { draft, change, isChanged } = useDraft(settings);
  const save = useCallMutation(saveSignInSettings, { stale: STALE, quiet: true });
  const part = { draft, mayChange, change };
  const submit = () => {
    const { auth_type, otp_methods, second_factor_always, session_timeout_min, session_max_min } = draft;
    const input = { auth_type, otp_methods, second_factor_always, session_timeout_min, session_max_min };
    save.mutate({ params: { orgId }, input }, { onSuccess: () => notify('done', t('saved')) });
  };
  return (
    <>
      <SettingsSection title={t('signIn.title')} help={t('signIn.help')}>
        <CallProblem error={save.error} />
        <Select
          label={t('auth')}
          value={draft.auth_type}
          readOnly={!mayChange}
          allowDeselect={false}
          onChange={(value) => value && change({ auth_type: value })}
          data={AUTH_TYPES.map((value) => ({ value, label: t(`authType.${value}`) }))}
        />
        <SecondFactors {...part} hasMail={settings.mail_is_set_up} />
      </SettingsSection>
      <SettingsSection
        title={t('signIn.sessions')}
        help={t('signIn.sessionsHelp')}
        actions={
          isChanged && mayChange ? (
            <Button loading={save.isPending} onClick={submit}>
              {t('save')}
            </Button>
          ) : null
        }
      >
        <MinutesInput {...part} name="session_timeout_min" label={t('signIn.idle')} max={7200} />
        <MinutesInput {...part} name="session_max_min" label={t('signIn.longest')} max={43_200} />
      </SettingsSection>
    </>
  );
}

interface FieldProps {
  readonly draft: Settings;
  readonly mayChange: boolean;
  readonly change: (part: Partial<Settings>) => void;
}

/** Which second factors are taken, and whether everybody needs one. */
function SecondFactors({ draft, mayChange, change, hasMail }: FieldProps & { readonly hasMail: boolean }) {
  const { t } = useTranslation('organizations');
  return (
    <>
      <Checkbox.Group
        label={t('signIn.factors')}
        value={draft.otp_methods}
        onChange={(values) => change({ otp_methods: OTP_METHODS.filter((one) => values.includes(one)) })}
      >
        <Group gap={16} mt={4}>
          {OTP_METHODS.map((one) => (
            <Checkbox key={one} value={one} disabled={!mayChange} label={t(`signIn.method.${one}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      {draft.otp_methods.includes('mail') && !hasMail ? (
        <Alert color="gray" variant="light" p={10}>
          {t('signIn.noMail')}
        </Alert>
      ) : null}
      <Switch
        label={t('signIn.always')}
        description={t('signIn.alwaysHelp')}
        checked={draft.second_factor_always}
        disabled={!mayChange}
        onChange={(event) => change({ second_factor_always: event.currentTarget.checked })}
      />
    </>
  );
}

interface MinutesInputProps extends FieldProps {
  readonly name: 'session_timeout_min' | 'session_max_min';
  readonly label: string;
  readonly max: number;
}

function MinutesInput({ draft, mayChange, change, name, label, max }: MinutesInputProps) {
  return (
    <NumberInput
      label={label}
      min={30}
      max={max}
      allowDecimal={false}
      value={draft[name]}
      readOnly={!mayChange}
      onChange={(value) => change({ [name]: Number(value) })}
    />
  );
}

/** Whose addresses belong here: only root says so. */
function Domains({ orgId, settings }: PartProps) {
  const { t } = useTranslation('organizations');
  const isRoot = isRootUser(useSignedIn());
  const [domains, setDomains] = useState(settings.mail_domains);
  const save = useCallMutation(saveMailDomains, { stale: STALE });
  const isChanged = domains.join() !== settings.mail_domains.join();
  useUnsavedWork(isChanged);
  const submit = () =>
    save.mutate(
      { params: { orgId }, input: { mail_domains: domains } },
      { onSuccess: () => notify('done', t('saved')) },
    );
  return (
    <SettingsSection
      title={t('signIn.domains')}
      help={t('signIn.domainsHelp')}
      actions={
        isChanged && isRoot ? (
          <Button loading={save.isPending} onClick={submit}>
            {t('save')}
          </Button>
        ) : null
      }
    >
      <TagsInput
        size="xs"
        aria-label={t('signIn.domains')}
        value={domains}
        readOnly={!isRoot}
        placeholder={isRoot ? 'example.org' : undefined}
        onChange={setDomains}
      />
      {settings.outsiders.length > 0 ? <Outsiders people={settings.outsiders} /> : null}
    </SettingsSection>
  );
}

/** Who has an address of these domains and belongs to another organization. */
function Outsiders({ people }: { readonly people: Settings['outsiders'] }) {
  const { t } = useTranslation('organizations');
  return (
    <Alert color="yellow" variant="light" p={10} mt={8}>
      <Text size="xs">{t('signIn.outsiders')}</Text>
      <ul>
        {people.map((one) => (
          <li key={one.user_id}>
            <Text size="xs">{`${one.email_id} (${one.organization})`}</Text>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
