import { collectionStatus } from '@tyrian/contract';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type Company, seedCompany } from '../../identity/users/testing/seed-company.ts';
import { type IngestFeature, ingestFeature } from '../ingest-feature.ts';

// What tests of senders need: a server, a company, a token for tenant A, and a look into the store.

export interface SenderSetup {
  readonly test: TestApp;
  readonly company: Company;
  /** Writes to tenant A, scope Main. */
  readonly token: string;
  readonly sourceId: string;
  readonly feature: IngestFeature;
  post(
    url: string,
    payload: string | Buffer,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  rows(sql: string): Promise<readonly (readonly unknown[])[]>;
  count(where?: string): Promise<number>;
  /** The counts of the source of `token`. */
  counts(): Promise<Readonly<Record<string, number>>>;
  /** Root gives networks to tenant A, so that its syslog sources may name them. */
  giveNetworks(...networks: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

const BY_ROOT = { who: null, address: '' };

export async function senderSetup(): Promise<SenderSetup> {
  const test = await testApp();
  const company = await seedCompany(test.platform);
  const { clusterId, scope: scopeId } = company.a;
  const feature = ingestFeature(test.platform, { audit: company.identity.audit });
  const made = await feature.sources.create({
    clusterId,
    scopeId,
    name: 'sender',
    kind: 'http',
    networks: [],
    by: null,
  });
  const token = made.token ?? '';
  const sourceId = made.source.source_id;
  const app = test.ingestApp;
  const rows = async (sql: string) =>
    (await test.platform.eventStore.rows(clusterId, { sql, scopes: [scopeId] })).rows;
  return {
    test,
    company,
    token,
    sourceId,
    feature,
    post: async (url, payload, headers = {}) => {
      const response = await app.inject({
        method: 'POST',
        url,
        payload,
        headers: { authorization: `Splunk ${token}`, ...headers },
      });
      return { status: response.statusCode, body: response.json() };
    },
    rows,
    count: async (where = '1') => Number((await rows(`SELECT count() FROM events WHERE ${where}`))[0]?.[0]),
    counts: async () => {
      // The feature inside of the application counts on its own; its counts are written each second.
      const seen = await test.call(collectionStatus, {
        ssid: await company.signIn('engineer'),
        params: { clusterId },
        input: { scope_id: scopeId },
      });
      return seen.data.sources.find((source) => source.source_id === sourceId)?.counts ?? {};
    },
    giveNetworks: async (...networks) => {
      for (const network of networks) await feature.grants.give({ clusterId, network }, BY_ROOT);
    },
    close: async () => {
      await feature.work.stop();
      await test.close();
    },
  };
}
