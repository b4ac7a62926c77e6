import { Button, Group, Switch, Text, Textarea } from '@mantine/core';
import {
  type EnrichmentTable,
  listEnrichment,
  previewBucket,
  readEnrichment,
  saveBucket,
} from '@tyrian/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { notify } from '../../lib/notify.ts';
import { useScope } from '../../lib/session-store.ts';
import { discardUnsavedWork, useUnsavedWork } from '../../lib/unsaved-work.ts';
import { useCallMutation } from '../../lib/use-call.ts';
import { CallProblem } from '../../ui/form-problem.tsx';
import { SettingsSection } from '../../ui/settings-section.tsx';
import classes from './enrichment.module.css';
import { useEnrichmentPaths } from './enrichment-words.ts';
import { EntryTable } from './entry-table.tsx';

const EXAMPLE = `bucket: FirstLogon
fields: [ActorUsername, TargetUsername]
schema-version: 1
source:
  - sourcetype: kql
    days: 30
    query: |
      Authentication
      | where EventResult == "Success"
      | summarize First = min(TimeGenerated), Hosts = dcount(DvcHostname) by TargetUsername
    enr_key: TargetUsername
    enr_values:
      annotate: { Known: "yes" }
      translate: { FirstSeen: First, HostCount: Hosts }
`;

function useBucket(table: EnrichmentTable | undefined) {
  const { t } = useTranslation('enrichment');
  const { clusterId, scopeId } = useScope();
  const navigate = useNavigate();
  const paths = useEnrichmentPaths();
  const [first, setFirst] = useState({ yaml: table?.yaml ?? EXAMPLE, enabled: table?.enabled ?? true });
  const [draft, setDraft] = useState(first);
  const [base, setBase] = useState(table?.revision ?? 0);
  const preview = useCallMutation(previewBucket, { quiet: true });
  const save = useCallMutation(saveBucket, { stale: [listEnrichment, readEnrichment], quiet: true });
  useUnsavedWork(draft !== first);
  const params = { clusterId };
  const submit = () => {
    const known = table ? { table_id: table.table_id, revision: base } : {};
    const onSuccess = ({ table_id, revision }: { readonly table_id: string; readonly revision: number }) => {
      setFirst(draft);
      setBase(revision);
      notify('done', t('buildAsked'));
      if (table) return;
      discardUnsavedWork();
      void navigate(paths.table('bucket', table_id), { replace: true });
    };
    save.mutate({ params, input: { scope_id: scopeId, ...known, ...draft } }, { onSuccess });
  };
  const show = () => preview.mutate({ params, input: { scope_id: scopeId, yaml: draft.yaml } });
  return {
    draft,
    change: (part: Partial<typeof draft>) => setDraft((now) => ({ ...now, ...part })),
    isChanged: draft !== first,
    ...{ submit, show, preview, save },
  };
}

/** A bucket as YAML, with the first rows that it would have. */
export function BucketForm({ table }: { readonly table: EnrichmentTable | undefined }) {
  const { t } = useTranslation('enrichment');
  const { draft, change, isChanged, submit, show, preview, save } = useBucket(table);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <CallProblem error={save.error ?? preview.error} />
      <SettingsSection title={t('kinds.bucket')} help={t('help.bucket')}>
        <Textarea
          className={classes.text}
          label="YAML"
          autosize
          minRows={12}
          maxRows={32}
          spellCheck={false}
          value={draft.yaml}
          onChange={(event) => change({ yaml: event.currentTarget.value })}
        />
        <Switch
          label={t('isOn')}
          description={t('newEventsOnly')}
          checked={draft.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
      </SettingsSection>
      <Group justify="flex-end" mt={12} gap={8}>
        <Button variant="default" loading={preview.isPending} onClick={show}>
          {t('preview')}
        </Button>
        <Button type="submit" disabled={table !== undefined && !isChanged} loading={save.isPending}>
          {t(table ? 'save' : 'create')}
        </Button>
      </Group>
      {preview.data && (
        <>
          <Text size="sm" c="dimmed" my={8}>
            {t('bucketFields', { name: preview.data.name, fields: preview.data.fields.join(', ') })}
          </Text>
          <EntryTable title={t('preview')} samples={preview.data.samples} />
        </>
      )}
    </form>
  );
}
