import { syslogCertificateSchema, syslogNetworkSchema } from '@tyrian/contract';
import { createAuditService } from '../features/identity/audit/audit-service.ts';
import { createSyslogGrantService } from '../features/sources/syslog-grant-service.ts';
import { createSyslogGrantStore } from '../features/sources/syslog-grant-store.ts';
import { systemClock as clock } from '../platform/clock.ts';
import { readConfig } from '../platform/config.ts';
import { createLog } from '../platform/log.ts';
import type { Postgres } from '../platform/postgres/postgres.ts';
import { type Command, UsageError } from './command.ts';
import { identityServices, pick, saying } from './identity-services.ts';
import { withRecords } from './open-records.ts';
import { parseOptions } from './parse-options.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const BY = { who: null, address: 'command line' };

function grantsOf(postgres: Postgres) {
  const audit = createAuditService({ postgres, clock, log: createLog('error') });
  return createSyslogGrantService({ store: createSyslogGrantStore(postgres), audit, clock });
}

/** What is given: a network where it reads as one, else a certificate. */
function sender(written: string): { network: string } | { certificate: string } {
  const network = syslogNetworkSchema.safeParse(written);
  if (network.success) return { network: network.data };
  if (/^[\d.:/]+$/.test(written)) throw new UsageError(`${written} is no network such as 10.1.0.0/16`);
  return { certificate: syslogCertificateSchema.parse(written) };
}

async function act(postgres: Postgres, name: string, what: string | undefined, tenant: string | undefined) {
  const grants = grantsOf(postgres);
  const tenants = await identityServices(postgres).tenants.all();
  const idOf = (wanted: string) =>
    pick('tenant', wanted, tenants, (one) => [one.clusterId, one.name]).clusterId;
  if (name === 'list') {
    for (const grant of await grants.list(tenant === undefined ? undefined : idOf(tenant)))
      say(`${grant.network ?? grant.certificate}  ${grant.cluster_name} (${grant.cluster_id})`);
    return;
  }
  if (what === undefined) throw new UsageError(`networks ${name}: name a network or a certificate`);
  const wanted = sender(what);
  if (name === 'add') {
    if (tenant === undefined) throw new UsageError('--tenant is missing');
    const given = await saying(grants.give({ clusterId: idOf(tenant), ...wanted }, BY));
    say(`${given.network ?? given.certificate} belongs to ${given.cluster_name}`);
    return;
  }
  const text = 'network' in wanted ? wanted.network : wanted.certificate;
  const known = (await grants.list()).find(
    (one) =>
      one.certificate === text || one.network === text || one.network?.replace(/\/(?:32|128)$/, '') === text,
  );
  if (known === undefined) throw new UsageError(`${text} is given to no tenant`);
  await saying(grants.take(known.grant_id, BY));
  say(`${text} belongs to ${known.cluster_name} no longer`);
}

export const networksCommand: Command = {
  name: 'networks',
  summary: 'say which tenant the syslog of a network or certificate belongs to',
  usage: `Usage: tyrian networks list [--tenant T]
       tyrian networks add NETWORK|CERTIFICATE --tenant T
       tyrian networks remove NETWORK|CERTIFICATE

A source of syslog names only networks and client certificates that its tenant was given here. No two overlap.

  NETWORK      e.g. 10.1.0.0/16 or 2001:db8::/48
  CERTIFICATE  SHA-256 of a client certificate in hexadecimal, or the common name of its subject
  --tenant     id or name`,
  run: async ({ args, env }) => {
    const { values, positionals } = parseOptions(args, { tenant: { type: 'string' } }, true);
    const [name, what, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError(`too many arguments: ${rest.join(' ')}`);
    if (name === undefined) throw new UsageError('say what to do');
    if (!['list', 'add', 'remove'].includes(name)) throw new UsageError(`unknown: networks ${name}`);
    await withRecords(readConfig(env), (postgres) => act(postgres, name, what, values.tenant));
    return 0;
  },
};
