import { Alert, Button, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  acceptClusterEula,
  clusterSummary,
  fetchLicense,
  LICENSE_TYPES,
  listFleet,
  type OutputOf,
  PRODUCT_TYPES,
  removeCluster,
  renameCluster,
  setLicense,
  tenantList,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../lib/format-number.ts';
import { notify } from '../../../lib/notify.ts';
import { useSignedIn } from '../../../lib/session-store.ts';
import { callQuery, useCallMutation } from '../../../lib/use-call.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import { Answered } from '../../../ui/answered.tsx';
import { FactList } from '../../../ui/fact-list.tsx';
import { NameSection } from '../../../ui/name-section.tsx';
import { SettingsPage, SettingsSection } from '../../../ui/settings-section.tsx';
import { TimeStamp } from '../../../ui/time-stamp.tsx';
import { TypedConfirm } from '../../../ui/typed-confirm.tsx';
import { readAccess } from '../sign-in/refresh-access.ts';
import { PlanUsageTable } from './plan-usage-table.tsx';
import { SetUpForm } from './set-up-form.tsx';

interface ClusterSettingsProps {
  readonly summary: OutputOf<typeof clusterSummary>;
  readonly mayChange: boolean;
  readonly onRemoved: () => void;
}

const STALE = [clusterSummary, fetchLicense, tenantList, listFleet];

/** The settings of a cluster, each part saved by itself; what it still needs stands first. */
export function ClusterSettings({ summary, mayChange, onRemoved }: ClusterSettingsProps) {
  const { clusterId } = summary;
  return (
    <SettingsPage>
      {summary.state === 'connected' && mayChange ? <SetUpForm clusterId={clusterId} /> : null}
      <Agreement summary={summary} mayChange={mayChange} />
      <Name key={summary.clusterName} summary={summary} mayChange={mayChange} />
      <License
        key={`${summary.licenseType}${summary.productType}${summary.license_until}`}
        summary={summary}
        mayChange={mayChange}
      />
      <PlanUsageTable clusterId={clusterId} />
      {mayChange ? <Removal summary={summary} onRemoved={onRemoved} /> : null}
    </SettingsPage>
  );
}

type PartProps = Pick<ClusterSettingsProps, 'summary' | 'mayChange'>;

function Agreement({ summary, mayChange }: PartProps) {
  const { t } = useTranslation('tenants');
  const { clusterId } = summary;
  const license = useQuery(callQuery(fetchLicense, {}, { params: { clusterId } }));
  const accept = useCallMutation(acceptClusterEula, { stale: STALE });
  return (
    <SettingsSection title={t('eula.title')} help={t('eula.help')}>
      <Answered query={license}>
        {({ eula }) =>
          eula ? (
            <FactList
              facts={[
                { label: t('eula.by'), value: eula.accepted_by },
                { label: t('eula.when'), value: <TimeStamp time={eula.accepted} form="seconds" /> },
              ]}
            />
          ) : (
            <>
              <Alert color="gray" variant="light" p={10}>
                {t('eula.open')}
              </Alert>
              {mayChange ? (
                <Button
                  w="fit-content"
                  loading={accept.isPending}
                  onClick={() => accept.mutate({ input: { clusterId } })}
                >
                  {t('eula.accept')}
                </Button>
              ) : null}
            </>
          )
        }
      </Answered>
    </SettingsSection>
  );
}

/** Says that a change is saved, and reads the access again, which carries names and licences of clusters. */
function useTellSaved(): () => void {
  const { t } = useTranslation('tenants');
  const session = useSignedIn();
  return () => {
    notify('done', t('saved'));
    void readAccess(session);
  };
}

function Name({ summary, mayChange }: PartProps) {
  const { t } = useTranslation('tenants');
  const tellSaved = useTellSaved();
  const { clusterId, primary_org, engine_url } = summary;
  const rename = useCallMutation(renameCluster, { stale: STALE });
  const save = (clusterName: string) =>
    rename.mutate({ params: { clusterId }, input: { clusterName } }, { onSuccess: tellSaved });
  return (
    <NameSection
      title={t('name')}
      name={summary.clusterName}
      mayChange={mayChange}
      isSaving={rename.isPending}
      onSave={save}
    >
      <FactList
        facts={[
          { label: t('id'), value: <span className="mono">{clusterId}</span> },
          { label: t('organization'), value: primary_org },
          { label: t('fleet.engine'), value: engine_url ?? t('connect.platform') },
        ]}
      />
    </NameSection>
  );
}

function License({ summary, mayChange }: PartProps) {
  const { t } = useTranslation('tenants');
  const tellSaved = useTellSaved();
  const { clusterId, licenseType, productType, license_until } = summary;
  const { draft, change, isChanged } = useDraft({ licenseType, productType, until: dayOf(license_until) });
  const save = useCallMutation(setLicense, { stale: STALE });
  const { until, ...types } = draft;
  const ends = until === '' ? null : Date.parse(`${until}T00:00:00Z`);
  const submit = () =>
    save.mutate({ input: { clusterId, ...types, license_until: ends } }, { onSuccess: tellSaved });
  return (
    <SettingsSection
      title={t('licence')}
      help={t('licenceHelp')}
      actions={
        isChanged && mayChange ? (
          <Button loading={save.isPending} disabled={Number.isNaN(ends)} onClick={submit}>
            {t('save')}
          </Button>
        ) : null
      }
    >
      <Select
        label={t('type')}
        value={draft.productType}
        readOnly={!mayChange}
        allowDeselect={false}
        onChange={(value) => value && change({ productType: value })}
        data={PRODUCT_TYPES.map((value) => ({ value, label: t(`productType.${value}`) }))}
      />
      <Select
        label={t('licence')}
        value={draft.licenseType}
        readOnly={!mayChange}
        allowDeselect={false}
        onChange={(value) => value && change({ licenseType: value })}
        data={LICENSE_TYPES.map((value) => ({ value, label: t(`licenceType.${value}`) }))}
      />
      <TextInput
        type="date"
        label={t('licenceUntil')}
        description={t('licenceUntilHelp')}
        value={until}
        readOnly={!mayChange}
        onChange={(event) => change({ until: event.currentTarget.value })}
      />
    </SettingsSection>
  );
}

function dayOf(time: number | null): string {
  return time === null ? '' : new Date(time).toISOString().slice(0, 10);
}

function Removal({ summary, onRemoved }: Omit<ClusterSettingsProps, 'mayChange'>) {
  const { t } = useTranslation('tenants');
  const session = useSignedIn();
  const [isAsking, setAsking] = useState(false);
  const remove = useCallMutation(removeCluster, { stale: [tenantList, listFleet] });
  const { clusterId, clusterName } = summary;
  const consequence = t('remove.text', {
    events: summary.events === null ? '?' : formatCount(summary.events),
    users: summary.user_count,
    cases: summary.open_cases,
  });
  return (
    <SettingsSection
      title={t('remove.title')}
      help={t('remove.help')}
      isDanger
      actions={
        <Button color="red" variant="light" onClick={() => setAsking(true)}>
          {t('remove.button')}
        </Button>
      }
    >
      {isAsking ? (
        <TypedConfirm
          title={t('remove.ask', { name: clusterName })}
          consequence={consequence}
          name={clusterName}
          confirmLabel={t('remove.button')}
          isBusy={remove.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            remove.mutate(
              { params: { clusterId }, input: { clusterName } },
              {
                onSuccess: async () => {
                  notify('done', t('remove.done', { name: clusterName }));
                  await readAccess(session);
                  onRemoved();
                },
              },
            )
          }
        />
      ) : null}
    </SettingsSection>
  );
}
