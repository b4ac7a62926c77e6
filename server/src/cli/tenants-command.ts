import { PRODUCT_TYPES, type ProductType } from '@tyrian/contract';
import { readConfig } from '../platform/config.ts';
import { type Command, UsageError } from './command.ts';
import { type IdentityServices, identityServices, saying } from './identity-services.ts';
import { withRecords } from './open-records.ts';
import { parseOptions } from './parse-options.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

async function list({ tenants }: IdentityServices): Promise<void> {
  for (const tenant of await tenants.all()) {
    say(`${tenant.name} (${tenant.productType}) ${tenant.clusterId}`);
    for (const scope of tenant.scopes) {
      say(`  ${scope.name} ${scope.scopeId}${scope.isEnabled ? '' : ' (disabled)'}`);
    }
  }
}

/** The organization of this name; made when there is none. */
async function organizationId(services: IdentityServices, name: string): Promise<string> {
  const { organizations, acting, record } = services;
  const known = (await organizations.all()).find((one) => one.name.toLowerCase() === name.toLowerCase());
  const make = () =>
    acting(async (trx) => {
      const orgId = await organizations.create(name, undefined, trx);
      await record({ action: 'organization.create', orgId, entity: orgId, details: { name } }, trx);
      return orgId;
    });
  return known?.orgId ?? saying(make());
}

export const tenantsCommand: Command = {
  name: 'tenants',
  summary: 'list and add tenants with their scopes',
  usage: `Usage: tyrian tenants list
       tyrian tenants add NAME --organization NAME [--type TYPE] --scope NAME [--scope NAME ...]

  --organization   the primary organization; made when there is none of this name
  --type           ${PRODUCT_TYPES.join(', ')}; enterprise without it
  --scope          name of a scope; at least one`,
  run: async ({ args, env }) => {
    const { values, positionals } = parseOptions(
      args,
      {
        organization: { type: 'string' },
        type: { type: 'string', default: 'enterprise' },
        scope: { type: 'string', multiple: true, default: [] },
      },
      true,
    );
    const [act, name, ...rest] = positionals;
    if (rest.length > 0) throw new UsageError(`too many arguments: ${rest.join(' ')}`);
    if (act === 'list') {
      await withRecords(readConfig(env), (postgres) => list(identityServices(postgres)));
      return 0;
    }
    if (act !== 'add') throw new UsageError(act === undefined ? 'say what to do' : `unknown: tenants ${act}`);
    const { organization, scope: scopes } = values;
    const productType = PRODUCT_TYPES.find((type) => type === values.type);
    if (!name || !organization || scopes.length === 0) {
      throw new UsageError('NAME, --organization and --scope are needed');
    }
    if (!productType) throw new UsageError(`--type: ${values.type} is none of ${PRODUCT_TYPES.join(', ')}`);
    await withRecords(readConfig(env), async (postgres) => {
      const services = identityServices(postgres);
      const primaryOrgId = await organizationId(services, organization);
      const made = await saying(
        services.tenants.create(
          { name, productType: productType as ProductType, primaryOrgId, scopes },
          (trx, clusterId) =>
            services.record(
              {
                action: 'tenant.create',
                clusterId,
                entity: clusterId,
                details: { name, productType, scopes },
              },
              trx,
            ),
        ),
      );
      say(`Added ${name} ${made.clusterId}`);
      for (const scope of made.scopes) say(`  ${scope.name} ${scope.scopeId}`);
    });
    return 0;
  },
};
