import { Alert, Button, Checkbox, Group, NumberInput, TagsInput, TextInput } from '@mantine/core';
import {
  COMPONENT_EVENTS,
  listComponents,
  listTenantComponents,
  readComponent,
  readTenantComponent,
  saveComponent,
  saveTenantComponent,
} from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useSignedIn } from '../../lib/session-store.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { CallProblem } from '../../ui/form-problem.tsx';
import { SettingsPage, SettingsSection } from '../../ui/settings-section.tsx';
import { type ComponentDetail, ComponentFrame } from './component-frame.tsx';
import type { ComponentScope } from './use-component-scope.ts';

/** What a component is called, from when on it counts as degraded, and who is mailed about it. */
export function ComponentConfigurePage() {
  return (
    <ComponentFrame page="configure">
      {(component, scope) => (
        <ConfigForm key={JSON.stringify(component.config)} component={component} scope={scope} />
      )}
    </ComponentFrame>
  );
}

interface ConfigFormProps {
  readonly component: ComponentDetail;
  readonly scope: ComponentScope;
}

const STALE = [readComponent, listComponents, readTenantComponent, listTenantComponents];

function ConfigForm({ component, scope }: ConfigFormProps) {
  const { tags } = useSignedIn();
  const { draft, change } = useDraft(component.config);
  const { save, error, isPending } = useSave(component, scope);
  const isPlatform = scope.tenant === null;
  const mayChange = isPlatform ? tags.includes('root') : tags.includes('tenant-admin');
  const part = { component, draft, mayChange, change };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save(draft);
      }}
    >
      <SettingsPage>
        <CallProblem error={error} />
        {isPlatform ? <PlatformSections {...part} /> : null}
        <NoticeSection {...part} isSaving={isPending} />
      </SettingsPage>
    </form>
  );
}

type Config = ComponentDetail['config'];

/** Of all of it for the platform; a tenant saves only which events are mailed to whom. */
function useSave({ type, id }: ComponentDetail, { tenant }: ComponentScope) {
  const { t } = useTranslation('components');
  const saveAll = useCallMutation(saveComponent, { stale: STALE, quiet: true });
  const saveOwn = useCallMutation(saveTenantComponent, { stale: STALE, quiet: true });
  const done = { onSuccess: () => notify('done', t('saved')) };
  const save = (draft: Config) => {
    if (tenant === null) return saveAll.mutate({ params: { type, id }, input: draft }, done);
    const { events, emails } = draft;
    saveOwn.mutate({ params: { clusterId: tenant, type, id }, input: { events, emails } }, done);
  };
  return {
    save,
    error: saveAll.error ?? saveOwn.error,
    isPending: saveAll.isPending || saveOwn.isPending,
  };
}

interface SectionProps {
  readonly component: ComponentDetail;
  readonly draft: Config;
  readonly mayChange: boolean;
  readonly change: (part: Partial<Config>) => void;
}

const LIMITS = ['cpu_limit', 'memory_limit', 'disk_limit'] as const;

/** Name and limits of a component, which are the same for everybody. */
function PlatformSections({ component, draft, mayChange, change }: SectionProps) {
  const { t } = useTranslation('components');
  return (
    <>
      <SettingsSection title={t('name')} help={t('nameHelp')}>
        <TextInput
          aria-label={t('name')}
          value={draft.display_name}
          placeholder={component.kind}
          readOnly={!mayChange}
          maxLength={64}
          onChange={(event) => change({ display_name: event.currentTarget.value })}
        />
      </SettingsSection>
      <SettingsSection title={t('limits')} help={t('limitsHelp')}>
        <Group grow>
          {LIMITS.map((name) => (
            <NumberInput
              key={name}
              label={t(name)}
              min={1}
              max={100}
              suffix=" %"
              allowDecimal={false}
              value={draft[name]}
              readOnly={!mayChange}
              onChange={(value) => change({ [name]: Number(value) })}
            />
          ))}
        </Group>
      </SettingsSection>
    </>
  );
}

/** What is mailed to whom; the last part of the form, so that its button stands here. */
function NoticeSection(props: SectionProps & { readonly isSaving: boolean }) {
  const { component, draft, mayChange, change, isSaving } = props;
  const { t } = useTranslation('components');
  const save = (
    <Button type="submit" loading={isSaving}>
      {t('save')}
    </Button>
  );
  return (
    <SettingsSection title={t('notices')} help={t('noticesHelp')} actions={mayChange ? save : null}>
      {component.mail_is_set_up ? null : (
        <Alert color="gray" variant="light" p={10}>
          {t('noMail')}
        </Alert>
      )}
      <Checkbox.Group
        label={t('events')}
        value={draft.events}
        onChange={(values) => change({ events: COMPONENT_EVENTS.filter((event) => values.includes(event)) })}
      >
        <Group gap={16} mt={4}>
          {COMPONENT_EVENTS.map((event) => (
            <Checkbox key={event} value={event} disabled={!mayChange} label={t(`states.${event}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      <TagsInput
        size="xs"
        label={t('emails')}
        value={draft.emails}
        readOnly={!mayChange}
        placeholder={mayChange ? 'ops@example.org' : undefined}
        onChange={(emails) => change({ emails })}
      />
    </SettingsSection>
  );
}
