import { type OrganizationItem, say } from '@tyrian/contract';
import { AppError, notFound } from '../../../platform/app-error.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { newId } from '../../../platform/new-id.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { asAccessCaller } from '../sign-in/authorizer.ts';
import { isViolation } from '../users/pg-violation.ts';
import { deleteOrganization, insertOrganization, selectOrganizations } from './organization-store.ts';

// Organizations own people. Making and removing them is for the product itself (first start, demo).

export interface OrganizationService {
  /** The new id, which the caller may choose. Throws AppError `conflict` when the name is taken. */
  create(name: string, orgId?: string, trx?: IdentityDb): Promise<string>;
  /** Throws AppError `conflict` while the organization has people or tenants. */
  remove(orgId: string, trx?: IdentityDb): Promise<void>;
  /** Every organization, for the command line. */
  all(): Promise<readonly OrganizationItem[]>;
  /** All for root, the own one for anybody else. */
  list(
    caller: Caller,
    page: { readonly pageno: number; readonly pagesize: number; readonly query: string },
  ): Promise<{ data: OrganizationItem[]; total_count: number }>;
}

export function createOrganizationService(deps: {
  readonly db: IdentityDb;
  readonly clock: Clock;
}): OrganizationService {
  return {
    create: async (name, orgId = newId(), trx = deps.db) => {
      try {
        await insertOrganization(trx, { orgId, name: name.trim(), now: deps.clock.now() });
      } catch (error) {
        if (isViolation(error, 'unique'))
          throw new AppError('conflict', say('organizations.nameTaken', { name }));
        throw error;
      }
      return orgId;
    },
    remove: async (orgId, trx = deps.db) => {
      try {
        if (!(await deleteOrganization(trx, orgId))) throw notFound();
      } catch (error) {
        if (isViolation(error, 'foreign-key')) {
          throw new AppError('conflict', say('organizations.notEmpty'));
        }
        throw error;
      }
    },
    all: async () => {
      const everything = { orgId: null, search: '', limit: 100_000, offset: 0 };
      return (await selectOrganizations(deps.db, everything)).data;
    },
    list: (caller, page) => {
      const { record } = asAccessCaller(caller);
      return selectOrganizations(deps.db, {
        orgId: record.isRoot ? null : record.orgId,
        search: page.query,
        limit: page.pagesize,
        offset: (page.pageno - 1) * page.pagesize,
      });
    },
  };
}
