import { Readable } from 'node:stream';
import {
  changeEventstore,
  downloadEventstore,
  EVENTSTORE_LIMITS,
  listEventstores,
  previewEventstore,
  readEventstore,
  removeEventstore,
  uploadEventstore,
} from '@tyrian/contract';
import { csvCell } from '../../platform/csv-cell.ts';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { AnyJob } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { readRows } from './eventstore-rows.ts';
import type { StoreRow } from './eventstore-store.ts';
import type { EventstoresDeps } from './eventstores-deps.ts';
import { createEventstoresService } from './eventstores-service.ts';
import { createTableParser } from './parse/parse-upload.ts';
import { uploadJob } from './store-upload.ts';
import { uploadUpkeep } from './upload-upkeep.ts';

export interface EventstoresFeature extends RoutedFeature {
  readonly jobs: readonly AnyJob[];
}

/** Uploaded tables. */
export function eventstoresFeature(
  deps: { readonly platform: Platform; readonly audit: AuditService } & Pick<
    EventstoresDeps,
    'isFreeName' | 'namedBy' | 'changed'
  >,
): EventstoresFeature {
  const { postgres, clock, eventStore: events } = deps.platform;
  const { audit, isFreeName, namedBy, changed } = deps;
  const work = { postgres, clock, events, parser: createTableParser(), changed };
  const stores = createEventstoresService({ ...work, audit, isFreeName, namedBy });
  const large = { bodyLimit: EVENTSTORE_LIMITS.fileBytes + 256 * 1024 };
  return {
    jobs: [uploadJob(work), uploadUpkeep({ postgres, clock, events })] as AnyJob[],
    register: (app) => {
      bindEndpoint(app, listEventstores, (call) => stores.list(scopeOf(call), call.input));
      bindEndpoint(app, readEventstore, (call) => stores.read(scopeOf(call), call.input.store_id));
      bindEndpoint(
        app,
        previewEventstore,
        (call) => stores.preview(scopeOf(call), call.input, call.signal),
        large,
      );
      bindEndpoint(
        app,
        uploadEventstore,
        (call) => stores.upload(scopeOf(call), call.input, call.signal),
        large,
      );
      bindEndpoint(app, changeEventstore, (call) => stores.change(scopeOf(call), call.input));
      bindEndpoint(app, removeEventstore, (call) => stores.remove(scopeOf(call), call.input));
      bindEndpoint(app, downloadEventstore, async (call) => {
        const scope = scopeOf(call);
        const store = await stores.find(scope, call.input.store_id);
        const { clusterId, scopeId, caller } = scope;
        const details = { rows: store.row_count };
        await audit.record({
          action: 'eventstore.download',
          who: caller,
          ...{ clusterId, scopeId, entity: store.name, details },
        });
        const rows = readRows(events, scope, store, EVENTSTORE_LIMITS.rows, call.signal);
        return call.reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="${store.name}.csv"`)
          .send(Readable.from(csvOf(store, rows, call.input.formula_guard)));
      });
    },
  };
}

async function* csvOf(
  { columns }: StoreRow,
  batches: AsyncIterable<readonly (readonly string[])[]>,
  formulaGuard: boolean,
): AsyncGenerator<string> {
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => csvCell(cell, { formulaGuard })).join(',')}\r\n`;
  yield line(columns.map(({ name }) => name));
  for await (const batch of batches) yield batch.map(line).join('');
}

const scopeOf = (call: {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly input: { readonly scope_id: string };
}) => ({ caller: call.caller, clusterId: call.clusterId, scopeId: call.input.scope_id });
