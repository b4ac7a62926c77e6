import { SCOPE_ROLES, type ScopeRole, USER_TYPES, type UserType } from '@tyrian/contract';
import type { IdentityDb } from '../features/identity/identity-tables.ts';
import { generatePassword } from '../features/identity/sign-in/generate-password.ts';
import { readConfig } from '../platform/config.ts';
import { type Command, UsageError } from './command.ts';
import { type IdentityServices, identityServices, pick, saying } from './identity-services.ts';
import { withRecords } from './open-records.ts';
import { parseOptions } from './parse-options.ts';
import { readStandardInput } from './read-standard-input.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

type Values = Readonly<Record<string, string | boolean | string[] | undefined>>;
interface Asked {
  readonly email: string;
  readonly values: Values;
}

const text = (values: Values, name: string) => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};

function needed(values: Values, name: string): string {
  const value = text(values, name);
  if (value === undefined) throw new UsageError(`--${name} is missing`);
  return value;
}

/** The password from standard input, or a generated one, which is then said. */
async function passwordFor(values: Values): Promise<{ password: string; isGenerated: boolean }> {
  if (!values['password-stdin']) return { password: generatePassword(), isGenerated: true };
  const password = (await readStandardInput()).replace(/\r?\n$/, '');
  return { password, isGenerated: false };
}

async function userOf({ users }: IdentityServices, email: string) {
  const user = await users.findByEmail(email);
  if (!user) throw new UsageError(`no user ${email}`);
  return user;
}

const about = (
  user: { readonly user_id: string; readonly name: string; readonly org_id: string },
  action: string,
  details: Readonly<Record<string, unknown>> = {},
) => ({ action, orgId: user.org_id, entity: user.user_id, details: { user: user.name, ...details } });

/** Runs a change of a user with its entry in the audit trail. */
async function change(
  services: IdentityServices,
  email: string,
  entry: { readonly action: string; readonly details?: Readonly<Record<string, unknown>> },
  work: (userId: string, trx: IdentityDb) => Promise<void>,
): Promise<void> {
  const user = await userOf(services, email);
  await saying(
    services.acting(async (trx) => {
      await work(user.user_id, trx);
      await services.record(about(user, entry.action, entry.details), trx);
    }),
  );
}

async function list({ users }: IdentityServices): Promise<void> {
  const rows = (await users.all()).map((user) => [
    user.email_id,
    user.name,
    user.root_viewer ? 'root_viewer' : user.user_type,
    user.status,
    user.organization,
    user.tenants,
    user.last_login_at === null ? 'never' : new Date(user.last_login_at).toISOString(),
  ]);
  const table = [['EMAIL', 'NAME', 'TYPE', 'STATUS', 'ORGANIZATION', 'TENANTS', 'LAST SIGN-IN'], ...rows];
  const widths = table[0]?.map((_, at) => Math.max(...table.map((row) => (row[at] ?? '').length))) ?? [];
  for (const row of table)
    say(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

async function add(services: IdentityServices, { email, values }: Asked): Promise<void> {
  const type = text(values, 'type') ?? 'general';
  const isViewer = type === 'root_viewer';
  if (!isViewer && !USER_TYPES.includes(type as UserType)) {
    throw new UsageError(`--type: ${type} is none of ${[...USER_TYPES, 'root_viewer'].join(', ')}`);
  }
  const organizations = await services.organizations.all();
  const wanted = needed(values, 'organization');
  const organization = pick('organization', wanted, organizations, (one) => [one.orgId, one.name]);
  const { password, isGenerated } = await passwordFor(values);
  await saying(
    services.users.create(
      {
        orgId: organization.orgId,
        email,
        name: text(values, 'name') ?? email,
        userType: isViewer ? 'root' : (type as UserType),
        rootViewer: isViewer,
        password,
      },
      (trx, entity) => {
        const { orgId } = organization;
        const details = { name: text(values, 'name') ?? email, email_id: email, user_type: type };
        return services.record({ action: 'user.create', orgId, entity, details }, trx);
      },
    ),
  );
  say(`Added ${email} to ${organization.name}`);
  if (isGenerated) say(`Password: ${password}`);
}

async function setPassword(services: IdentityServices, { email, values }: Asked): Promise<void> {
  const user = await userOf(services, email);
  const { password, isGenerated } = await passwordFor(values);
  await saying(
    services.users.setPassword(user.user_id, password, (trx) =>
      services.record(about(user, 'password.set', { kind: 'command line' }), trx),
    ),
  );
  say(`Changed the password of ${email}; its sessions have ended`);
  if (isGenerated) say(`Password: ${password}`);
}

async function grant(services: IdentityServices, { email, values }: Asked): Promise<void> {
  const user = await userOf(services, email);
  const role = (text(values, 'role') ?? 'No Access') as ScopeRole;
  if (!SCOPE_ROLES.includes(role))
    throw new UsageError(`--role: ${role} is none of ${SCOPE_ROLES.join(', ')}`);
  const tenants = await services.tenants.all();
  const tenant = pick('tenant', needed(values, 'tenant'), tenants, (one) => [one.clusterId, one.name]);
  const named = (values.scope as string[] | undefined) ?? [];
  const scopes =
    named.length === 0
      ? tenant.scopes
      : named.map((name) => pick('scope', name, tenant.scopes, (one) => [one.scopeId, one.name]));
  const isAdmin = values.admin === true;
  const { clusterId } = tenant;
  const accessType = isAdmin ? 'Administrator' : role === 'No Access' ? 'No Access' : 'Custom';
  const roles = Object.fromEntries(scopes.map((scope) => [scope.scopeId, role]));
  await saying(
    services.acting(async (trx) => {
      await services.users.grant({ userId: user.user_id, clusterId, accessType, roles }, trx);
      const entry = about(user, 'access.save', { accessType, roles });
      await services.record({ ...entry, clusterId }, trx);
    }),
  );
  const what = [isAdmin ? 'Administrator' : '', role === 'No Access' && isAdmin ? '' : role].filter(Boolean);
  say(`${email} has in ${tenant.name}: ${what.join(', ')} (${scopes.map((scope) => scope.name).join(', ')})`);
}

const ACTS: Readonly<Record<string, (services: IdentityServices, asked: Asked) => Promise<void>>> = {
  list,
  add,
  grant,
  'set-password': setPassword,
  'reset-second-factor': async (services, { email }) => {
    await change(services, email, { action: 'mfa.reset' }, services.removeFactors);
    say(`Removed the second factors of ${email}; its sessions have ended`);
  },
  disable: async (services, { email }) => {
    const details = { to: { status: 'disabled' } };
    await change(services, email, { action: 'user.save', details }, services.users.disable);
    say(`Disabled ${email}; its sessions have ended`);
  },
  enable: async (services, { email }) => {
    const details = { to: { status: 'enabled' } };
    await change(services, email, { action: 'user.save', details }, services.users.enable);
    say(`Enabled ${email}`);
  },
};

export const usersCommand: Command = {
  name: 'users',
  summary: 'list and add users, set passwords, reset second factors, give access, disable accounts',
  usage: `Usage: tyrian users list
       tyrian users add EMAIL --organization NAME [--name NAME] [--type TYPE] [--password-stdin]
       tyrian users set-password EMAIL [--password-stdin]
       tyrian users reset-second-factor EMAIL
       tyrian users grant EMAIL --tenant NAME [--admin] [--role ROLE] [--scope NAME ...]
       tyrian users disable|enable EMAIL

Works on a running server's records as well as on a data folder that no server uses. Without --password-stdin a
password is generated and printed once.

  --type    general (the default), org_admin, content_manager, root, root_viewer
  --admin   administrator of the tenant
  --role    Viewer, Security Analyst, Security Engineer, or No Access; replaces the access held before
  --scope   a scope that the role is for; all scopes of the tenant without it`,
  run: async ({ args, env }) => {
    const { values, positionals } = parseOptions(
      args,
      {
        organization: { type: 'string' },
        name: { type: 'string' },
        type: { type: 'string' },
        tenant: { type: 'string' },
        role: { type: 'string' },
        scope: { type: 'string', multiple: true },
        admin: { type: 'boolean' },
        'password-stdin': { type: 'boolean' },
      },
      true,
    );
    const [name, email, ...rest] = positionals;
    const act = name === undefined || !Object.hasOwn(ACTS, name) ? undefined : ACTS[name];
    if (!act) throw new UsageError(name === undefined ? 'say what to do' : `unknown: users ${name}`);
    if (act !== list && email === undefined) throw new UsageError('EMAIL is missing');
    if (rest.length > 0) throw new UsageError(`too many arguments: ${rest.join(' ')}`);
    await withRecords(readConfig(env), (postgres) =>
      act(identityServices(postgres), { email: email ?? '', values: values as Values }),
    );
    return 0;
  },
};
