import { useQuery } from '@tanstack/react-query';
import {
  type Connector,
  deleteConnector,
  listConnectorKinds,
  listConnectors,
  setConnectorState,
  validateConnector,
} from '@tyrian/contract';
import { useTranslation } from 'react-i18next';
import { notify } from '../../lib/notify.ts';
import { useScope, useSignedIn } from '../../lib/session-store.ts';
import { callQuery, useCallMutation } from '../../lib/use-call.ts';
import { askToConfirm } from '../../ui/confirm-button.tsx';

const LOOK_AGAIN_MS = 5_000;
/** While something is being validated. */
const LOOK_SOON_MS = 1_000;

/** The connectors of the scope, looked at again every few seconds. */
export function useConnectors() {
  const { clusterId, scopeId } = useScope();
  const options = callQuery(listConnectors, { scope_id: scopeId }, { params: { clusterId }, quiet: true });
  return useQuery({
    ...options,
    refetchInterval: ({ state }) => {
      const isPending = state.data?.data.some((one) => one.validation.status === 'pending') ?? false;
      return isPending ? LOOK_SOON_MS : LOOK_AGAIN_MS;
    },
  });
}

/** The catalogue. */
export function useConnectorKinds() {
  const { clusterId, scopeId } = useScope();
  return useQuery(
    callQuery(listConnectorKinds, { scope_id: scopeId }, { params: { clusterId }, quiet: true }),
  );
}

/** Whether the user may change connectors, or only sees them. */
export function useMayChange(): boolean {
  return useSignedIn().tags.includes('tenant-admin');
}

export interface ConnectorActs {
  readonly setState: (one: Connector, act: 'start' | 'stop' | 'restart') => void;
  readonly validate: (one: Connector) => void;
  readonly remove: (one: Connector, onDone?: () => void) => void;
}

/** What is done to a connector. */
export function useConnectorActs(): ConnectorActs {
  const { t } = useTranslation('connectors');
  const { clusterId, scopeId } = useScope();
  const stale = [listConnectors];
  const state = useCallMutation(setConnectorState, { stale });
  const validation = useCallMutation(validateConnector, { stale });
  const removal = useCallMutation(deleteConnector, { stale });
  const params = { clusterId };
  const one = ({ id }: Connector) => ({ scope_id: scopeId, connector_id: id });
  return {
    setState: (connector, act) => state.mutate({ params, input: { ...one(connector), act } }),
    validate: (connector) => validation.mutate({ params, input: one(connector) }),
    remove: (connector, onDone) =>
      askToConfirm({
        title: t('removeTitle', { name: connector.name }),
        consequence: t('removeText'),
        confirmLabel: t('remove'),
        onConfirm: () =>
          removal.mutate(
            { params, input: one(connector) },
            {
              onSuccess: () => {
                notify('done', t('removed'));
                onDone?.();
              },
            },
          ),
      }),
  };
}
