import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { countRules, listRules, readPackRule, readSamples, runSamples, saveSamples } from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { SampleTable } from './sample-table.tsx';

const STALE = [readSamples, listRules, countRules, readPackRule];

/** The samples of a rule of a pack: those that came with it, and the tenant's own, which are saved and run at once. */
export function RuleSamples({ ruleId }: { readonly ruleId: string }) {
  const { t } = useTranslation('samples');
  const { clusterId, scopeId } = useScope();
  const { tags } = useSignedIn();
  const place = { scope_id: scopeId, rule_id: ruleId };
  const params = { clusterId };
  const found = useQuery(callQuery(readSamples, place, { params, quiet: true }));
  const save = useCallMutation(saveSamples, { stale: STALE });
  const run = useCallMutation(runSamples, { stale: STALE });
  if (found.isLoadingError)
    return <ErrorPanel title={t('failed')} error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Skeleton height={80} />;
  const { samples, revision, ...report } = found.data;
  return (
    <SampleTable
      samples={samples}
      report={report}
      mayChange={tags.includes('engineer')}
      mayRun
      isBusy={save.isPending || run.isPending}
      onChange={(own) => save.mutate({ params, input: { ...place, samples: own, revision } })}
      onRun={() => run.mutate({ params, input: place })}
    />
  );
}
