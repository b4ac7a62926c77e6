import {
  addDirectory,
  addWorkbook,
  checkLockedWorkbook,
  checkWorkbook,
  cloneWorkbook,
  deleteDirectory,
  deleteWorkbook,
  detectionWorkbookCount,
  downloadWorkbook,
  editWorkbook,
  importWorkbook,
  listDirectories,
  listWorkbooks,
  lockWorkbook,
  moveWorkbook,
  revertWorkbook,
  searchObjects,
  setWorkbookVisibility,
  viewWorkbookVersion,
  workbookMeta,
  workbookProperties,
  workbookStreamDryFlow,
  workbookVersionList,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { INPUT_LIMITS } from '../../platform/http/input-limits.ts';
import type { DirectoriesService } from './directories-service.ts';
import type { PickListService } from './pick-list-service.ts';
import type { StreamFlowService } from './stream-flow-service.ts';
import { workbookFile } from './workbook-file.ts';
import type { WorkbooksService } from './workbooks-service.ts';

const scopeOf = (call: {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly input: { readonly scope_id: string };
}) => ({ caller: call.caller, clusterId: call.clusterId, scopeId: call.input.scope_id });

/** Binds the calls that read and write workbooks. */
export function workbookRoutes(
  app: FastifyInstance,
  workbooks: WorkbooksService,
  pickLists: PickListService,
  flow: StreamFlowService,
): void {
  const large = { bodyLimit: INPUT_LIMITS.workbookBodyBytes };
  bindEndpoint(app, detectionWorkbookCount, (call) => workbooks.count(scopeOf(call)));
  bindEndpoint(app, listWorkbooks, (call) => workbooks.list(scopeOf(call), call.input));
  bindEndpoint(app, searchObjects, (call) => {
    const scopeId = call.input.scope_id ?? call.input.ScopeID ?? '';
    const scope = { caller: call.caller, clusterId: call.clusterId, scopeId };
    return workbooks.list(scope, { ...call.input, sort: 'name', order: 'asc' });
  });
  bindEndpoint(app, workbookProperties, (call) => workbooks.read(scopeOf(call), call.input.ID));
  bindEndpoint(
    app,
    addWorkbook,
    (call) => workbooks.add(scopeOf(call), call.input.properties, call.input.commit_message),
    large,
  );
  bindEndpoint(
    app,
    editWorkbook,
    ({ input, ...call }) =>
      workbooks.edit(
        scopeOf({ ...call, input }),
        input.ID,
        input.version,
        input.properties,
        input.commit_message,
      ),
    large,
  );
  bindEndpoint(
    app,
    checkWorkbook,
    async (call) => {
      const { problems, facts, columns } = await workbooks.check(scopeOf(call), call.input.properties);
      const ok = problems.every((problem) => problem.severity !== 'error');
      return { ok, problems: [...problems], streams: facts.streams, columns: [...columns] };
    },
    large,
  );
  bindEndpoint(app, cloneWorkbook, (call) => workbooks.clone(scopeOf(call), call.input));
  bindEndpoint(app, importWorkbook, (call) => workbooks.importFile(scopeOf(call), call.input));
  bindEndpoint(app, deleteWorkbook, async (call) => {
    const { ID, enable_original } = call.input;
    return { ID, enabled: await workbooks.remove(scopeOf(call), ID, enable_original) };
  });
  bindEndpoint(app, moveWorkbook, async (call) => {
    await workbooks.move(scopeOf(call), call.input.ID, call.input.directory);
    return { ID: call.input.ID, directory: call.input.directory };
  });
  bindEndpoint(app, setWorkbookVisibility, async (call) => {
    const { ID, enabled, backfill_from } = call.input;
    await workbooks.switchOn(scopeOf(call), ID, enabled, backfill_from);
    return { ID, enabled };
  });
  bindEndpoint(app, lockWorkbook, (call) => workbooks.lock(scopeOf(call), call.input.ID, call.input.lock));
  bindEndpoint(app, checkLockedWorkbook, (call) => workbooks.lockState(scopeOf(call), call.input.ID));
  bindEndpoint(app, downloadWorkbook, async (call) => {
    const draft = await workbooks.draft(scopeOf(call), call.input.ID);
    const file = workbookFile(draft);
    return call.reply
      .type('application/yaml; charset=utf-8')
      .header('content-disposition', `attachment; filename="${file.name}"`)
      .send(file.text);
  });
  bindEndpoint(app, workbookMeta, (call) => pickLists.list(call.caller, call.clusterId, call.input.type));
  bindEndpoint(app, workbookStreamDryFlow, async (call) => {
    const streams = await workbooks.streams(scopeOf(call), call.input.ID);
    return flow.lastEvents(call.clusterId, call.input.scope_id, streams);
  });
}

/** Binds the calls about versions of a workbook. */
export function workbookVersionRoutes(app: FastifyInstance, workbooks: WorkbooksService): void {
  bindEndpoint(app, workbookVersionList, (call) => workbooks.versions(scopeOf(call), call.input.ID));
  bindEndpoint(app, viewWorkbookVersion, async (call) => {
    const { draft, ...version } = await workbooks.version(scopeOf(call), call.input.ID, call.input.version);
    return { ...version, ID: call.input.ID, properties: draft };
  });
  bindEndpoint(app, revertWorkbook, (call) => workbooks.revert(scopeOf(call), call.input));
}

/** Binds the calls about folders. */
export function directoryRoutes(app: FastifyInstance, directories: DirectoriesService): void {
  bindEndpoint(app, listDirectories, (call) => directories.list(scopeOf(call)));
  bindEndpoint(app, addDirectory, (call) =>
    directories.add(scopeOf(call), call.input.name, call.input.parent),
  );
  bindEndpoint(app, deleteDirectory, async (call) => ({
    path: await directories.remove(scopeOf(call), call.input.name, call.input.parent),
  }));
}
