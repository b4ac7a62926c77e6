import { useQuery } from '@tanstack/react-query';
import { attributeSignals } from '@tyrian/contract';
import { useScope } from '../../lib/session-store.ts';
import { callQuery } from '../../lib/use-call.ts';
import { Answered } from '../../ui/answered.tsx';
import { AttributionList } from './attribution-list.tsx';

/** Groups and campaigns known for what some signals found. */
export function SignalAttribution({ signalIds }: { readonly signalIds: readonly string[] }) {
  const { clusterId, scopeId } = useScope();
  const input = { scope_id: scopeId, signal_ids: [...signalIds] };
  const found = useQuery(callQuery(attributeSignals, input, { params: { clusterId }, quiet: true }));
  return <Answered query={found}>{(data) => <AttributionList found={data} />}</Answered>;
}
