import { readConfig } from '../../../platform/config.ts';
import { createLog } from '../../../platform/log.ts';
import { startServer } from '../../../start-server.ts';
import { seedCompany } from '../../identity/users/testing/seed-company.ts';
import { ingestFeature } from '../ingest-feature.ts';

// A whole server in a process of its own, for tests that kill it. On an empty data folder it makes a company and a
// token; then it prints what a sender needs as one line of JSON and serves until it dies.

const config = readConfig(process.env);
const server = await startServer({
  config,
  checkout: process.cwd(),
  log: createLog('error'),
  roles: ['ingest'],
});
const { platform } = server;
const ready: Record<string, unknown> = { address: server.ingestAddress };
const tenants = await platform.postgres.platform
  .selectFrom('tenant' as never)
  .selectAll()
  .execute();
if (tenants.length === 0) {
  const company = await seedCompany(platform);
  const { sources } = ingestFeature(platform, { audit: company.identity.audit });
  const { clusterId, scope: scopeId } = company.a;
  const { token } = await sources.create({
    clusterId,
    scopeId,
    name: 'sender',
    kind: 'http',
    networks: [],
    by: null,
  });
  Object.assign(ready, { clusterId, scopeId, token });
}
process.on('message', (message: { clusterId: string; sql: string }) => {
  platform.eventStore
    .rows(message.clusterId, { sql: message.sql, scopes: 'all' })
    .then(({ rows }) => process.send?.({ rows }))
    .catch((error: Error) => process.send?.({ error: error.message }));
});
process.send?.({ ready });
