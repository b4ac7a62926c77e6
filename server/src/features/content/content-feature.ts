import {
  decideContentUpdates,
  downloadContent,
  IMPORT_LIMITS,
  listContentUpdates,
  readContentUpdate,
  saveUpdatePolicy,
  uploadContent,
} from '@tyrian/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { ImportsService } from '../rules/imports-service.ts';
import type { RulesFeature } from '../rules/rules-feature.ts';
import type { WorkbooksFeature } from '../workbooks/workbooks-feature.ts';
import { type DownloadDeps, makeDownload } from './download-service.ts';
import { FORM_BYTES, readForm } from './read-form.ts';
import { createUpdatesService, type UpdatesService } from './updates-service.ts';
import { takeUpload, type UploadDeps } from './upload-service.ts';

/** Content across features: what is newer, what leaves as a file, and what comes in. */
export function contentFeature(deps: {
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly workbooks: Pick<WorkbooksFeature, 'service' | 'updates'>;
  readonly rules: Pick<RulesFeature, 'updates' | 'exchange' | 'imports'>;
}): RoutedFeature {
  const { audit, clock, rules } = deps;
  const { exchange: packs, imports } = rules;
  const { service: workbooks } = deps.workbooks;
  const updates = createUpdatesService({ ...deps.workbooks.updates, rule: rules.updates, audit });
  const down: DownloadDeps = { audit, clock, workbookTexts: workbooks.textsOf, ruleTexts: packs.texts };
  const up: UploadDeps = {
    ...{ audit, packs, previewWorkbook: workbooks.previewText, importWorkbook: workbooks.importFile },
    importRules: (scope, one) => startImport(imports, scope, one),
  };
  return { register: (app) => contentRoutes(app, updates, down, up) };
}

type ToImport = Parameters<UploadDeps['importRules']>;

async function startImport(
  imports: Pick<ImportsService, 'begin' | 'part' | 'start'>,
  { clusterId, scopeId, caller }: ToImport[0],
  { pack, archive, review, settings }: ToImport[1],
): Promise<string> {
  const by = { clusterId, scopeId, author: { userId: caller.userId, name: caller.name } };
  const { import_id } = await imports.begin(by, { pack, kind: 'own', review, whole: false, settings });
  const { partBytes } = IMPORT_LIMITS;
  for (let part = 0; part * partBytes < archive.length; part += 1) {
    const bytes = archive.subarray(part * partBytes, (part + 1) * partBytes);
    await imports.part(by, { import_id, part, bytes });
  }
  await imports.start(by, import_id);
  return import_id;
}

interface ScopedCall {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly input: { readonly scope_id: string };
}

const scopeOf = ({ caller, clusterId, input }: ScopedCall) => ({
  caller,
  clusterId,
  scopeId: input.scope_id,
});

function contentRoutes(
  app: FastifyInstance,
  updates: UpdatesService,
  down: DownloadDeps,
  up: UploadDeps,
): void {
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    (request: FastifyRequest, body: Buffer) => readForm(body, request.headers['content-type'] ?? ''),
  );
  bindEndpoint(app, listContentUpdates, (call) => updates.list(scopeOf(call), call.input));
  bindEndpoint(app, readContentUpdate, (call) => updates.read(scopeOf(call), call.input.update_id));
  bindEndpoint(app, decideContentUpdates, (call) => updates.decide(scopeOf(call), call.input, call.signal));
  bindEndpoint(app, saveUpdatePolicy, (call) => updates.setPolicy(scopeOf(call), call.input.shipped));
  bindEndpoint(app, downloadContent, async (call) => {
    const { fileName, type, bytes } = await makeDownload(down, scopeOf(call), call.input);
    return call.reply
      .type(type)
      .header('content-disposition', `attachment; filename="${fileName}"`)
      .send(bytes);
  });
  bindEndpoint(app, uploadContent, (call) => takeUpload(up, scopeOf(call), call.input, call.signal), {
    bodyLimit: FORM_BYTES,
  });
}
