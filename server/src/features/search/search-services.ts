import type { QueryReach } from '@tyrian/kql';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { ExportService } from './export-service.ts';
import type { FieldService } from './field-service.ts';
import type { KnownValues } from './known-values.ts';
import type { SavedQueryService } from './saved-query-service.ts';
import type { SearchAidsService } from './search-aids-service.ts';
import type { SearchHistoryStore } from './search-history-store.ts';
import type { SearchTaskService } from './search-task-service.ts';

/** What the calls of Find are bound to. */
export interface SearchServices {
  readonly tasks: SearchTaskService;
  readonly aids: SearchAidsService;
  readonly fields: FieldService;
  readonly exports: ExportService;
  readonly knownValues: KnownValues;
  readonly saved: SavedQueryService;
  readonly history: SearchHistoryStore;
  readonly workbookKql: WorkbookKql;
  readonly clock: Clock;
  /** The scopes that the queries of a caller may name. */
  readonly reachOf: ReachOf;
  /** Every read of event data leaves an entry. */
  readonly audit: AuditService;
}

/** The scopes of a tenant in which a caller may search, by name. */
export type ReachOf = (caller: Caller, clusterId: string) => QueryReach;

/** The KQL of a saved workbook; throws AppError `not-found` when the scope has no such workbook. */
export type WorkbookKql = (clusterId: string, scopeId: string, workbookId: string) => Promise<string>;
