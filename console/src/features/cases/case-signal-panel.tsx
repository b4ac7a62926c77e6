import { useState } from 'react';
import { type CaseRequest, caseRequest, SignalFlyout, useTriage } from '../signals/public.ts';
import { AddToCase } from './add-to-case.tsx';
import { useCaseReload } from './case-queries.ts';

interface CaseSignalPanelProps {
  readonly signalId: string;
  /** The ids of the signals of the case, in the order of its list. */
  readonly signalIds: readonly string[];
  readonly onSignal: (signalId: string | null) => void;
  readonly onEntity: (entity: { readonly type: string; readonly value: string }) => void;
}

/** A signal of the case with its details, events, knowledge base and ways, as the queue shows it. */
export function CaseSignalPanel({ signalId, signalIds, onSignal, onEntity }: CaseSignalPanelProps) {
  const [adding, setAdding] = useState<CaseRequest | null>(null);
  const reload = useCaseReload();
  const triage = useTriage(() => void reload());
  const at = signalIds.indexOf(signalId);
  const step = (by: number) => {
    const next = at < 0 ? undefined : signalIds[at + by];
    return next === undefined ? undefined : () => onSignal(next);
  };
  return (
    <>
      <SignalFlyout
        key={signalId}
        id={signalId}
        at="case"
        onClose={() => onSignal(null)}
        onPrevious={step(-1)}
        onNext={step(1)}
        onEntity={onEntity}
        onCase={(signal) => setAdding(caseRequest([signal.signal_id], [signal]))}
        onFalsePositive={(id, isFalse) => triage.tag([id], isFalse)}
      />
      {triage.dialog}
      {adding ? (
        <AddToCase
          signalIds={adding.ids}
          suggestedName={adding.name}
          suggestedSeverity={adding.severity}
          onClose={() => setAdding(null)}
          onDone={() => void triage.refresh()}
        />
      ) : null}
    </>
  );
}
