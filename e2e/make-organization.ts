import {
  addPerson,
  connectOrganization,
  createOrganization,
  type Endpoint,
  type InputOf,
  login,
  type OutputOf,
  type SignInSettings,
  saveSignInSettings,
  saveTenantUser,
  type UserAccess,
} from '@tyrian/contract';
import { inject } from 'vitest';
import { callServer } from './start-journey-server.ts';

/** Somebody new, with the password that was told once, and the scope where they are an analyst. */
export interface Newcomer {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly orgId: string;
  readonly clusterId: string;
  readonly scopeId: string;
}

/** One call of an endpoint as somebody. */
export function callAs<E extends Endpoint>(
  ssid: string,
  endpoint: E,
  params: Readonly<Record<string, string>>,
  input?: InputOf<E>,
): Promise<OutputOf<E>> {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
  return callServer(`${inject('journeyServer').address}${path}`, endpoint.method, input, ssid);
}

/** A fresh session of root. */
export async function rootSession(): Promise<UserAccess> {
  const { address, root } = inject('journeyServer');
  const input = { emailId: root.email, password: root.password };
  return callServer<UserAccess>(`${address}${login.path}`, login.method, input);
}

let made = 0;

/** An organization of its own beside the demo's, with one analyst in the first tenant of the demo. */
export async function makeOrganization(
  title: string,
  root: UserAccess,
  settings: Partial<SignInSettings> = {},
): Promise<Newcomer> {
  const entry = root.access.find((one) => one.scope_access.length > 0);
  const scopeId = entry?.scope_access[0]?.scope_id;
  if (!entry || !scopeId) throw new Error('the demo has no tenant');
  const { clusterId } = entry;
  // A second try of a journey makes another one.
  const name = `${title} ${++made}`;
  const as = root.SSID;
  const { orgId } = await callAs(as, createOrganization, {}, { name });
  await callAs(as, connectOrganization, { clusterId, orgId }, { is_primary: false });
  await callAs(
    as,
    saveSignInSettings,
    { orgId },
    {
      auth_type: 'standard',
      otp_methods: ['totp', 'passkey'],
      second_factor_always: false,
      session_timeout_min: 60,
      session_max_min: 720,
      ...settings,
    },
  );
  const email = `ines@${name.toLowerCase().replace(/\W+/g, '-')}.example`;
  const person = { name: 'Ines Lund', email_id: email, phone: null, user_type: 'general' as const };
  const { user_id, initial_password } = await callAs(as, addPerson, { orgId }, person);
  if (initial_password === null) throw new Error('no first password was told');
  await callAs(
    as,
    saveTenantUser,
    { clusterId, userId: user_id },
    {
      is_administrator: false,
      roles: { [scopeId]: 'Security Analyst' },
    },
  );
  return { email, name: person.name, password: initial_password, orgId, clusterId, scopeId };
}
