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
import type { FormEvent } from 'react';
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
  const { t } = useTranslation('components');
  const { tags } = useSignedIn();
  const { draft, change } = useDraft(component.config);
  const saveAll = useCallMutation(saveComponent, { stale: STALE, quiet: true });
  const saveOwn = useCallMutation(saveTenantComponent, { stale: STALE, quiet: true });
  const isPlatform = scope.tenant === null;
  const mayChange = isPlatform ? tags.includes('root') : tags.includes('tenant-admin');
  const error = saveAll.error ?? saveOwn.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { type, id } = component;
    const done = { onSuccess: () => notify('done', t('saved')) };
    if (scope.tenant === null) saveAll.mutate({ params: { type, id }, input: draft }, done);
    else {
      const { events, emails } = draft;
      saveOwn.mutate({ params: { clusterId: scope.tenant, type, id }, input: { events, emails } }, done);
    }
  };
  const limit = (name: 'cpu_limit' | 'memory_limit' | 'disk_limit') => (
    <NumberInput
      label={t(name)}
      min={1}
      max={100}
      suffix=" %"
      allowDecimal={false}
      value={draft[name]}
      readOnly={!mayChange}
      onChange={(value) => change({ [name]: Number(value) })}
    />
  );
  return (
    <form onSubmit={submit}>
      <SettingsPage>
        <CallProblem error={error} />
        {isPlatform ? (
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
                {limit('cpu_limit')}
                {limit('memory_limit')}
                {limit('disk_limit')}
              </Group>
            </SettingsSection>
          </>
        ) : null}
        <SettingsSection
          title={t('notices')}
          help={t('noticesHelp')}
          actions={
            mayChange ? (
              <Button type="submit" loading={saveAll.isPending || saveOwn.isPending}>
                {t('save')}
              </Button>
            ) : null
          }
        >
          {component.mail_is_set_up ? null : (
            <Alert color="gray" variant="light" p={10}>
              {t('noMail')}
            </Alert>
          )}
          <Checkbox.Group
            label={t('events')}
            value={draft.events}
            onChange={(values) =>
              change({ events: COMPONENT_EVENTS.filter((event) => values.includes(event)) })
            }
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
      </SettingsPage>
    </form>
  );
}
