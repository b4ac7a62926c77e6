import {
  type Endpoint,
  type ExportedList,
  type exportList,
  listCases,
  listCollection,
  listExtractors,
  listSignals,
  listStreams,
  listWorkbooks,
} from '@tyrian/contract';
import type { z } from 'zod';
import { notAuthorised } from '../../platform/app-error.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { inputRefusal, mistakesOf } from '../../platform/http/input-refusal.ts';
import type { CaseService } from '../cases/case-service.ts';
import type { ExtractorsService } from '../extraction/extractors-service.ts';
import type { ApiTokenService } from '../identity/api-tokens/api-token-service.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { SignalsService } from '../signals/signals-service.ts';
import type { CollectionService } from '../sources/collection-service.ts';
import type { StreamService } from '../streams/stream-service.ts';
import type { WorkbooksService } from '../workbooks/workbooks-service.ts';
import { assertZone, fileOf, PAGE_ROWS, type Rows, readWholeList, type WrittenFile } from './whole-list.ts';

// Reads a list to its end, page by page through the service of its feature, and writes it down who took it along.

type ExportInput = z.output<typeof exportList.input>;

interface Asked {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly input: ExportInput;
}

export interface ListExportDeps {
  readonly cases: Pick<CaseService, 'list'>;
  readonly signals: Pick<SignalsService, 'list'>;
  readonly workbooks: Pick<WorkbooksService, 'list'>;
  readonly tokens: Pick<ApiTokenService, 'list'>;
  readonly extractors: Pick<ExtractorsService, 'list'>;
  readonly sources: Pick<CollectionService, 'list'>;
  readonly streams: Pick<StreamService, 'list'>;
  readonly audit: AuditService;
}

export interface ListExportService {
  write(asked: Asked, source: string): Promise<WrittenFile>;
}

const TIMES: Readonly<Record<ExportedList, readonly string[]>> = {
  cases: ['created', 'updated', 'closed'],
  signals: ['first_time', 'last_time', 'created'],
  workbooks: ['properties.updated', 'properties.created', 'properties.last_signal'],
  tokens: ['created', 'expires', 'last_used'],
  extractors: ['updated'],
  sources: ['last_event', 'silent_since', 'created'],
  streams: ['last_event'],
};

/** The filters, checked by the list's own call; a page of it. */
function pageOf<E extends Endpoint>(list: E, { input }: Asked, pageno: number): z.output<E['input']> {
  const page = { ...input.selection, scope_id: input.scope_id, pageno, pagesize: PAGE_ROWS };
  const parsed = list.input.safeParse(page, { reportInput: true });
  if (parsed.success) return parsed.data as z.output<E['input']>;
  throw inputRefusal(mistakesOf(parsed.error.issues, 'selection'));
}

function requireEngineer({ caller, clusterId, input }: Asked): void {
  if (!caller.tagsAt(clusterId, input.scope_id).includes('engineer')) throw notAuthorised();
}

async function rowsOf(deps: ListExportDeps, asked: Asked): Promise<Rows> {
  const { caller, clusterId, input } = asked;
  const scope = { clusterId, scopeId: input.scope_id };
  switch (input.entity) {
    case 'cases':
      return readWholeList((pageno) => {
        const { start, end, search, addfilters, sort_by, sort_order } = pageOf(listCases, asked, pageno);
        const offset = (pageno - 1) * PAGE_ROWS;
        const page = { sortBy: sort_by, sortOrder: sort_order, limit: PAGE_ROWS, offset };
        return deps.cases.list(scope, { start, end, search, filters: addfilters }, page);
      });
    case 'signals':
      return readWholeList((pageno) => {
        const wanted = pageOf(listSignals, asked, pageno);
        return deps.signals.list({ clusterId, caller }, wanted, wanted);
      });
    case 'workbooks':
      return readWholeList((pageno) => {
        const wanted = pageOf(listWorkbooks, asked, pageno);
        return deps.workbooks.list({ caller, ...scope }, wanted);
      });
    case 'tokens':
      requireEngineer(asked);
      return deps.tokens.list(scope);
    case 'extractors':
      requireEngineer(asked);
      return readWholeList((pageno) =>
        deps.extractors.list({ caller, ...scope }, pageOf(listExtractors, asked, pageno)),
      );
    case 'sources':
      requireEngineer(asked);
      return readWholeList((pageno) => deps.sources.list(scope, pageOf(listCollection, asked, pageno)));
    case 'streams':
      requireEngineer(asked);
      return (await deps.streams.list(scope, pageOf(listStreams, asked, 1).search_type)).streams;
  }
}

export function createListExportService(deps: ListExportDeps): ListExportService {
  return {
    write: async (asked, source) => {
      const { caller, clusterId, input } = asked;
      const { entity, format, selection, timezone } = input;
      assertZone(timezone);
      const rows = await rowsOf(deps, asked);
      const file = fileOf(input, { entity, timeFields: TIMES[entity], rows });
      await deps.audit.record({
        action: `${entity}.export`,
        who: caller,
        source,
        clusterId,
        scopeId: input.scope_id,
        entity: input.file_name,
        details: { rows: rows.length, format, selection },
      });
      return file;
    },
  };
}
