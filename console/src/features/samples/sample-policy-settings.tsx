import { Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { readSamplePolicy, setSamplePolicy } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../lib/session-store.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { Answered } from '../../ui/answered.tsx';
import { SettingsPage, SettingsSection } from '../../ui/settings-section.tsx';
import { TimeStamp } from '../../ui/time-stamp.tsx';

/** What a tenant asks of its rules before they reach PROD. */
export function SamplePolicySettings({ clusterId }: { readonly clusterId: string }) {
  const { t } = useTranslation('samples');
  const { access, tags } = useSignedIn();
  const params = { clusterId };
  const policy = useQuery(callQuery(readSamplePolicy, {}, { params }));
  const set = useCallMutation(setSamplePolicy, { stale: [readSamplePolicy] });
  const isAdministrator = access.some(
    (one) => one.clusterId === clusterId && one.access_type === 'Administrator',
  );
  return (
    <SettingsPage>
      <SettingsSection title={t('policy.title')} help={t('policy.help')}>
        <Answered query={policy}>
          {(one) => (
            <>
              <Switch
                label={t('policy.switch')}
                checked={one.prod_needs_samples}
                disabled={set.isPending || !(isAdministrator || tags.includes('root'))}
                onChange={(event) =>
                  set.mutate({ params, input: { prod_needs_samples: event.currentTarget.checked } })
                }
              />
              {one.changed !== null && (
                <Text size="xs" c="dimmed">
                  <TimeStamp time={one.changed} form="seconds" /> · {one.changed_by}
                </Text>
              )}
            </>
          )}
        </Answered>
      </SettingsSection>
    </SettingsPage>
  );
}
