import {
  type Connector,
  createConnector,
  listConnectors,
  setConnectorState,
  testConnector,
} from '@tyrian/contract';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { createOutgoing } from '../../../platform/outgoing/outgoing-connections.ts';
import { secretBoxOf } from '../../../platform/secret-box.ts';
import { type Company, seedCompany } from '../../identity/users/testing/seed-company.ts';
import { type IngestFeature, ingestFeature } from '../../ingest/ingest-feature.ts';
import { type ConnectorRunner, createConnectorRunner } from '../connector-runner.ts';

// A server with a company, and a process that works on connectors when a test says so.

export interface ConnectorSetup {
  readonly test: TestApp;
  readonly company: Company;
  readonly clusterId: string;
  readonly scopeId: string;
  /** A new session of the administrator of tenant A; the clock that tests move ends old ones. */
  signIn(): Promise<string>;
  readonly runner: ConnectorRunner;
  /** Another process. Its ingest is `ingest`, where a test wants something to go wrong. */
  otherRunner(ingest?: Pick<IngestFeature['ingest'], 'ingest'>): ConnectorRunner;
  readonly feature: IngestFeature;
  create(name: string, kind: string, config: object, secrets?: object): Promise<Connector>;
  find(id: string): Promise<Connector>;
  act(id: string, act: 'start' | 'stop' | 'restart'): Promise<Connector>;
  try(id: string): ReturnType<typeof tried>;
  /** Takes up what is due at the moment, moved on by so many milliseconds. */
  turn(afterMs?: number): Promise<number>;
  rows(sql: string): Promise<readonly (readonly unknown[])[]>;
  /** Texts of the events of a source, in order. */
  texts(source: string): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

const tried = (test: TestApp, ssid: string, clusterId: string, scopeId: string, id: string) =>
  test.call(testConnector, {
    ssid,
    params: { clusterId },
    input: { scope_id: scopeId, connector_id: id },
  });

const runnerOf =
  (test: TestApp, feature: IngestFeature) =>
  (ingest: Pick<IngestFeature['ingest'], 'ingest'> = feature.ingest): ConnectorRunner => {
    const { postgres, clock, log, config } = test.platform;
    return createConnectorRunner({
      ...{ postgres, clock, log, ingest, sources: feature.sources },
      outgoing: createOutgoing({ allow: config.outgoingAllow, log }),
      secrets: secretBoxOf(test.platform),
    });
  };

export async function connectorSetup(): Promise<ConnectorSetup> {
  const test = await testApp({ env: { TYRIAN_OUTGOING_ALLOW: '127.0.0.0/8' } });
  const company = await seedCompany(test.platform);
  const { clusterId, scope: scopeId } = company.a;
  const feature = ingestFeature(test.platform, { audit: company.identity.audit });
  const { clock } = test.platform;
  const makeRunner = runnerOf(test, feature);
  const runner = makeRunner();
  const signIn = () => company.signIn('tenantAdmin');
  const at = async () => ({ ssid: await signIn(), params: { clusterId } });
  const rows: ConnectorSetup['rows'] = async (sql) =>
    (await test.platform.eventStore.rows(clusterId, { sql, scopes: [scopeId] })).rows;
  return {
    ...{ test, company, clusterId, scopeId, signIn, runner, feature, rows },
    otherRunner: makeRunner,
    create: async (name, kind, config, secrets = {}) => {
      const input = { scope_id: scopeId, name, kind, config, secrets };
      const made = await test.call(createConnector, { ...(await at()), input });
      if (made.http !== 200) throw new Error(made.text);
      return made.data.connector;
    },
    find: async (id) => {
      const { data } = await test.call(listConnectors, { ...(await at()), input: { scope_id: scopeId } });
      const found = data.data.find((one) => one.id === id);
      if (!found) throw new Error(`no connector ${id}`);
      return found;
    },
    act: async (id, act) => {
      const input = { scope_id: scopeId, connector_id: id, act };
      return (await test.call(setConnectorState, { ...(await at()), input })).data;
    },
    try: async (id) => tried(test, await signIn(), clusterId, scopeId, id),
    turn: async (afterMs = 0) => {
      clock.advance(afterMs);
      const turns = await runner.runDue();
      await feature.sources.flush();
      return turns;
    },
    texts: async (source) =>
      (await rows(`SELECT Raw FROM events WHERE SourceName = '${source}' ORDER BY TimeGenerated, Raw`)).map(
        ([raw]) => raw,
      ),
    close: async () => {
      await feature.work.stop();
      await test.close();
    },
  };
}
