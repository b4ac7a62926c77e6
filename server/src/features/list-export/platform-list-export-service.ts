import {
  type Access,
  type exportPlatformList,
  listOrganizations,
  listPeople,
  listTenantUsers,
  type PlatformList,
  readUtilization,
  say,
  sayOfField,
  tenantList,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Authorizer, Caller } from '../../platform/http/caller.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { OrganizationAdministration } from '../identity/organizations/organization-administration.ts';
import type { OrganizationService } from '../identity/organizations/organization-service.ts';
import type { TenantService } from '../identity/tenants/tenant-service.ts';
import type { UserService } from '../identity/users/user-service.ts';
import type { UtilizationService } from '../streams/utilization-service.ts';
import { assertZone, fileOf, PAGE_ROWS, type Rows, readWholeList, type WrittenFile } from './whole-list.ts';

// The lists of administration as files. Each is read by the service of its own call, after the right of that call.

type ExportInput = z.output<typeof exportPlatformList.input>;

export interface PlatformListExportDeps {
  readonly authorizer: Pick<Authorizer, 'authorize'>;
  readonly tenants: Pick<TenantService, 'list'>;
  readonly organizations: Pick<OrganizationService, 'list'>;
  readonly people: Pick<OrganizationAdministration, 'people'>;
  readonly users: Pick<UserService, 'tenantUsers'>;
  readonly usage: Pick<UtilizationService, 'read'>;
  readonly audit: AuditService;
}

export interface PlatformListExportService {
  write(caller: Caller, input: ExportInput, source: string): Promise<WrittenFile>;
}

const ACCESS: Readonly<Record<PlatformList, Access>> = {
  tenants: tenantList.access,
  organizations: listOrganizations.access,
  people: listPeople.access,
  tenant_users: listTenantUsers.access,
  usage: readUtilization.access,
};
const TIMES: readonly string[] = ['created', 'last_login', 'day'];

/** What is searched for, as the list on screen sends it. */
function queryOf({ selection }: ExportInput): string {
  const { query = '' } = selection;
  if (typeof query !== 'string' || query.length > 256) {
    throw new AppError(
      'bad-input',
      sayOfField('selection.query', say('lists.selectionQuery', { most: 256 })),
    );
  }
  return query;
}

function idOf(input: ExportInput, name: 'orgId' | 'clusterId'): string {
  const id = input[name];
  if (id === undefined)
    throw new AppError('bad-input', sayOfField(name, say('reasons.whoseList')), { field: name });
  return id;
}

export function createPlatformListExportService(deps: PlatformListExportDeps): PlatformListExportService {
  return bindDeps(deps, { write });
}

function rowsOf(
  deps: PlatformListExportDeps,
  caller: Caller,
  input: ExportInput,
  source: string,
): Promise<Rows> {
  const query = queryOf(input);
  const page = (pageno: number) => ({ pageno, pagesize: PAGE_ROWS, query });
  switch (input.entity) {
    case 'tenants':
      return readWholeList(async (number) => {
        const search = { query, filters: [], page: number, size: PAGE_ROWS };
        const { data, total_count } = await deps.tenants.list(caller, search);
        const named = data.map((one) => ({
          ...one,
          scopes: one.scope_list.map((scope) => scope.scope_name),
        }));
        return { data: named, total_count };
      });
    case 'organizations':
      return readWholeList((number) => deps.organizations.list(caller, page(number)));
    case 'people':
      return readWholeList((number) =>
        deps.people.people({ caller, source }, idOf(input, 'orgId'), page(number)),
      );
    case 'usage':
      return usageOf(deps, idOf(input, 'clusterId'), query);
    case 'tenant_users':
      return readWholeList(async (number) => {
        const { data, total_count } = await deps.users.tenantUsers(idOf(input, 'clusterId'), page(number));
        const told = data.map((one) => ({
          ...one,
          roles: one.scope_access
            .filter((scope) => scope.role !== 'No Access')
            .map((scope) => `${scope.scope_name}: ${scope.role}`),
        }));
        return { data: told, total_count };
      });
  }
}

async function usageOf({ usage }: PlatformListExportDeps, clusterId: string, month: string): Promise<Rows> {
  const { month: known } = readUtilization.input.parse(month === '' ? {} : { month });
  return (await usage.read(clusterId, known)).days;
}

async function write(
  deps: PlatformListExportDeps,
  caller: Caller,
  input: ExportInput,
  source: string,
): Promise<WrittenFile> {
  const { entity, format, selection, orgId } = input;
  const clusterId = entity === 'tenant_users' ? input.clusterId : undefined;
  await deps.authorizer.authorize(caller, ACCESS[entity], { clusterId, scopeIds: [] });
  assertZone(input.timezone);
  const rows = await rowsOf(deps, caller, input, source);
  const file = fileOf(input, { entity, timeFields: TIMES, rows });
  await deps.audit.record({
    action: `${entity}.export`,
    who: caller,
    source,
    ...(clusterId === undefined ? {} : { clusterId }),
    ...(entity === 'people' && orgId !== undefined ? { orgId } : {}),
    entity: input.file_name,
    details: { rows: rows.length, format, selection },
  });
  return file;
}
