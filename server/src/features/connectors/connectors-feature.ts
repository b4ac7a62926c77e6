import {
  CONNECTOR_KINDS,
  createConnector,
  defaultsOf,
  deleteConnector,
  listConnectorKinds,
  listConnectors,
  setConnectorState,
  testConnector,
  updateConnector,
  validateConnector,
} from '@tyrian/contract';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Platform } from '../../platform/platform.ts';
import { secretBoxOf } from '../../platform/secret-box.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { IngestService } from '../ingest/ingest-service.ts';
import type { SourceService } from '../sources/source-service.ts';
import { type ConnectorRunner, createConnectorRunner } from './connector-runner.ts';
import { createConnectorsService } from './connectors-service.ts';

export interface ConnectorsFeature extends RoutedFeature {
  /** Runs with the ingest role, whose ledger and spool it stores through. */
  readonly work: ConnectorRunner;
}

/** Connectors of tenants: their calls, and what fetches for them. */
export function connectorsFeature(deps: {
  readonly platform: Platform;
  readonly audit: AuditService;
  readonly ingest: IngestService;
  readonly sources: SourceService;
}): ConnectorsFeature {
  const { postgres, clock, log, outgoing, eventStore: events } = deps.platform;
  const { audit, ingest, sources } = deps;
  const secrets = secretBoxOf(deps.platform);
  const service = createConnectorsService({ postgres, clock, audit, events, outgoing, secrets, sources });
  return {
    work: createConnectorRunner({ postgres, clock, log, outgoing, secrets, ingest, sources }),
    register: (app) => {
      bindEndpoint(app, listConnectors, (call) => service.list(scopeOf(call)));
      bindEndpoint(app, listConnectorKinds, () => ({ data: [...KINDS], total_count: KINDS.length }));
      bindEndpoint(app, createConnector, (call) => service.create(scopeOf(call), call.input));
      bindEndpoint(app, updateConnector, (call) => service.update(scopeOf(call), call.input));
      bindEndpoint(app, deleteConnector, (call) => service.remove(scopeOf(call), call.input.connector_id));
      bindEndpoint(app, validateConnector, (call) =>
        service.validate(scopeOf(call), call.input.connector_id),
      );
      bindEndpoint(app, testConnector, (call) =>
        service.test(scopeOf(call), call.input.connector_id, call.signal),
      );
      bindEndpoint(app, setConnectorState, (call) => service.setState(scopeOf(call), call.input));
    },
  };
}

const KINDS = CONNECTOR_KINDS.map((one) => ({
  ...{ kind: one.kind, engine: one.engine, group: one.group, name: one.name },
  words: one.words ?? '',
  needs: one.needs ?? '',
  config: { ...defaultsOf(one.engine), ...one.config },
}));

const scopeOf = (call: {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly input: { readonly scope_id: string };
}) => ({ caller: call.caller, clusterId: call.clusterId, scopeId: call.input.scope_id });
