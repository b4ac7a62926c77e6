import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../envelope/endpoint.ts';
import * as contract from '../index.ts';
import { BY_ROLE } from './call-rights-table.ts';

// Who may make which call, written out once more by hand after section 6's table of routes: a call behind a page is
// open to whoever may open the page, and what changes something to no root viewer.

/** Calls of a user about the own account and access, whatever the role; those marked answer before the agreements. */
const SIGNED_IN = [
  'passwords.resetOwn',
  'passwords.change',
  'tenants.listOwn',
  'account.acceptPolicy before',
  'scopes.listAll',
  'scopes.list',
  'scopes.listByQuery',
  'scopes.listAllByQuery',
  'account.readAccess before',
  'account.acceptEula before',
  'platform.readState',
  'tenants.list',
  'search.listTimezones',
  'banner.read',
  'live.readNews',
  'live.follow',
  'notifications.clear',
  'notifications.list',
  'notifications.markRead',
  'notifications.setSwitch',
  'notifications.listSwitches',
  'factors.list',
  'factors.beginPasskey',
  'factors.confirmPasskey',
  'factors.renewRecoveryCodes',
  'factors.remove',
  'factors.beginTotp',
  'factors.confirmTotp',
  'lists.exportOfPlatform',
  'savedViews.delete',
  'savedViews.list',
  'savedViews.save',
  'sessions.end',
  'sessions.list',
  'sso.end before',
  'preferences.save',
  'preferences.read',
];
/** Signing in, links of mails, and the end of a session, which says the same whether there was one. */
const PUBLIC = [
  'signIn.begin',
  'signIn.login',
  'factors.verify',
  'signIn.logout',
  'sso.begin',
  'sso.verifyToken',
  'sessions.invalidate',
  'passwords.verifyToken',
  'passwords.set',
  'passwords.resetOfUser',
  'passwords.checkResetLink',
  'factors.sendMail',
  'factors.askForPasskey',
];

const ENDPOINTS = (Object.values(contract) as unknown[]).filter(
  (value): value is Endpoint =>
    typeof value === 'object' && value !== null && 'access' in value && 'path' in value && 'method' in value,
);
const idsWith = (matches: (access: Endpoint['access']) => boolean) =>
  ENDPOINTS.filter((endpoint) => matches(endpoint.access)).map(({ name }) => name);

describe('who may make a call', () => {
  it.each(BY_ROLE)('%s: in the %s, for %s', (_, where, tags, ids) => {
    for (const id of ids) {
      const found = ENDPOINTS.filter((endpoint) => endpoint.name === id);
      expect(found, id).toHaveLength(1);
      const access = found[0]?.access;
      expect(access, id).toMatchObject({ kind: 'roles', in: where });
      expect(access?.kind === 'roles' && [...access.tags].sort(), id).toEqual([...tags].sort());
    }
  });

  it('[S6-26] whatever needs no role is about the own account alone', () => {
    const session = ENDPOINTS.flatMap(({ name, access }) =>
      access.kind === 'session' ? [access.beforeAgreements ? `${name} before` : name] : [],
    );
    expect(session.sort()).toEqual([...SIGNED_IN].sort());
  });

  it('[S6-27] without a session one signs in, follows the link of a mail, or leaves', () => {
    expect(idsWith(({ kind }) => kind === 'public').sort()).toEqual([...PUBLIC].sort());
  });

  it('names every call of the contract', () => {
    const named = BY_ROLE.flatMap(([, , , ids]) => ids);
    expect(new Set(named).size).toBe(named.length);
    expect(idsWith(({ kind }) => kind === 'roles').sort()).toEqual([...named].sort());
  });
});
