import { shareFunction } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import type { RoutedFeature } from '../../platform/feature.ts';
import type { Authorizer } from '../../platform/http/caller.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { QueryService } from '../search/query-service.ts';
import { createFunctionLibrary, type FunctionLibrary } from './function-library.ts';
import { functionRoutes } from './function-routes.ts';
import { createFunctionService } from './function-service.ts';
import { createFunctionStore } from './function-store.ts';

/** The functions of every tenant, for the compiler. */
export const tenantFunctions = ({ postgres, clock }: Platform): FunctionLibrary =>
  createFunctionLibrary({ store: createFunctionStore(postgres), clock });

/** Saving, listing and sharing of functions. */
export function functionsFeature(deps: {
  readonly platform: Platform;
  readonly library: FunctionLibrary;
  readonly queries: QueryService;
  readonly audit: AuditService;
  readonly authorizer: Authorizer;
}): RoutedFeature {
  const { platform, library, queries, audit, authorizer } = deps;
  const service = createFunctionService({
    store: createFunctionStore(platform.postgres),
    library,
    clock: platform.clock,
    audit,
    check: (clusterId, userId, wanted) => queries.checkFunction(clusterId, userId, wanted),
    manages: async (caller, clusterId) => {
      try {
        await authorizer.authorize(caller, shareFunction.access, { clusterId, scopeIds: [] });
        return true;
      } catch (error) {
        if (error instanceof AppError) return false;
        throw error;
      }
    },
  });
  return { register: (app) => functionRoutes(app, service) };
}
