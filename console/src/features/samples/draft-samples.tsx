import { useQuery } from '@tanstack/react-query';
import { type RuleSample, readSamples, runSamples, type SampleReport } from '@tyrian/contract';
import { useEffect, useState } from 'react';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { SampleTable } from './sample-table.tsx';

interface DraftSamplesProps {
  readonly clusterId: string;
  readonly scopeId: string;
  /** Of the detections of the draft. */
  readonly queries: readonly string[];
  readonly samples: readonly RuleSample[];
  /** It came with Tyrian. */
  readonly isShipped: boolean;
  readonly mayChange: boolean;
  /** The workbook that the draft is as it was saved; null while it differs. */
  readonly saved: { readonly id: string; readonly version: number } | null;
  readonly onChange: (samples: RuleSample[]) => void;
}

interface Run {
  /** Of what was run. */
  readonly key: string;
  readonly report: SampleReport;
}

/** The samples of a workbook: a part of its draft, run as they stand on the page. */
export function DraftSamples(props: DraftSamplesProps) {
  const { clusterId, scopeId, queries, samples, isShipped, mayChange, onChange } = props;
  const [last, setLast] = useState<Run | null>(null);
  const run = useCallMutation(runSamples);
  const key = JSON.stringify([queries, samples]);
  const start = () =>
    run.mutate(
      {
        params: { clusterId },
        input: { scope_id: scopeId, draft: { queries: [...queries], samples: [...samples] } },
      },
      { onSuccess: (report) => setLast({ key, report }) },
    );
  const kept = useKeptReport(props);
  const unknown: SampleReport = {
    state: samples.length === 0 ? 'none' : 'untested',
    results: [],
    tested: null,
  };
  const report = last?.key === key ? last.report : (kept ?? unknown);
  return (
    <SampleTable
      samples={samples.map((sample) => ({ ...sample, origin: isShipped ? 'pack' : 'own' }))}
      report={report}
      mayChange={mayChange}
      mayRun={queries.length > 0}
      isBusy={run.isPending}
      onChange={onChange}
      onRun={start}
    />
  );
}

/** What the last run gave that was kept with the workbook; null while the draft differs from it. */
function useKeptReport({ clusterId, scopeId, saved }: DraftSamplesProps): SampleReport | null {
  const place = { scope_id: scopeId, rule_id: saved?.id ?? '' };
  const { data, refetch } = useQuery(
    callQuery(readSamples, place, { params: { clusterId }, enabled: saved !== null, quiet: true }),
  );
  const isOld = saved !== null && data !== undefined && data.revision !== saved.version;
  useEffect(() => {
    if (isOld) void refetch();
  }, [isOld, refetch]);
  return saved === null || isOld ? null : (data ?? null);
}
