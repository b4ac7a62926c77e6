import { useState } from 'react';
import { AddToCase, type SignalPanelProps, useCaseReload } from '../cases/public.ts';
import { type CaseRequest, caseRequest } from './case-request.ts';
import { SignalFlyout } from './signal-flyout.tsx';
import { useTriage } from './use-triage.tsx';

/** A signal of a case with its details, events, knowledge base and ways, as the queue shows it. */
export function CaseSignalPanel({ signalId, signalIds, onSignal, onEntity }: SignalPanelProps) {
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
