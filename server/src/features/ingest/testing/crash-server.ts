import { ANY_PORTS, readConfig } from '../../../platform/config.ts';
import { createLog } from '../../../platform/log.ts';
import { startServer } from '../../../start-server.ts';
import { seedCompany } from '../../identity/users/testing/seed-company.ts';
import { ingestFeature } from '../ingest-feature.ts';

// A whole server in a process of its own, for tests that kill it. On an empty data folder it makes a company, a token and
// a source that is known by the network of this machine; then it tells what a sender needs and serves until it dies.

const config = readConfig({ ...ANY_PORTS, ...process.env });
const server = await startServer({
  config,
  checkout: process.cwd(),
  log: createLog('error'),
  roles: ['ingest'],
});
const { platform } = server;
const [, work] = server.composed.ingestWork;
const ready: Record<string, unknown> = { address: server.ingestAddress, ports: work?.ports() };
const tenants = await platform.postgres.platform
  .selectFrom('tenant' as never)
  .selectAll()
  .execute();
if (tenants.length === 0) {
  const company = await seedCompany(platform);
  const { sources, grants } = ingestFeature(platform, { audit: company.identity.audit });
  const { clusterId, scope: scopeId } = company.a;
  const place = { clusterId, scopeId, by: null } as const;
  const { token } = await sources.create({ ...place, name: 'sender', kind: 'http', networks: [] });
  const network = '127.0.0.1/32';
  await grants.give({ clusterId, network }, { who: null, address: '' });
  await sources.create({ ...place, name: 'near', kind: 'syslog', networks: [network] });
  Object.assign(ready, { clusterId, scopeId, token });
}

interface Asked {
  readonly clusterId: string;
  readonly sql: string;
  /** Asks PostgreSQL for the counts of sources instead. */
  readonly counts?: boolean;
}

async function counts(): Promise<readonly (readonly unknown[])[]> {
  const rows = (await platform.postgres.platform
    .selectFrom('ingest_counter' as never)
    .selectAll()
    .execute()) as unknown as readonly { readonly name: string; readonly value: unknown }[];
  const sums = new Map<string, number>();
  for (const { name, value } of rows) sums.set(name, (sums.get(name) ?? 0) + Number(value));
  return [...sums];
}

process.on('message', ({ clusterId, sql, counts: isCounts }: Asked) => {
  const answer = isCounts
    ? counts()
    : platform.eventStore.rows(clusterId, { sql, scopes: 'all' }).then(({ rows }) => rows);
  answer
    .then((rows) => process.send?.({ rows }))
    .catch((error: Error) => process.send?.({ error: error.message }));
});
process.send?.({ ready });
