import { gzipSync } from 'node:zlib';
import * as contract from '@tyrian/contract';
import type { Job, JobCall } from '../../../platform/jobs/job.ts';
import type { DetectionApp } from '../../detections/testing/detection-app.ts';
import type { SeedRole } from '../../identity/users/testing/seed-company.ts';

// Imports as people make them, and small rules to import.

export interface ImportAs {
  readonly pack?: string;
  readonly role?: SeedRole;
  readonly where?: { readonly clusterId: string; readonly scopeId: string };
  readonly signal?: AbortSignal;
}

/** The archive of texts by their paths. */
export const archiveOf = (files: Readonly<Record<string, string | Uint8Array>>): Buffer =>
  gzipSync(
    contract.tarOf(
      Object.entries(files).map(([path, content]) => ({
        path,
        bytes: typeof content === 'string' ? Buffer.from(content) : content,
      })),
    ),
  );

/** A rule over processes of Windows. */
export const windowsRule = (title: string, detection: string, more = ''): string =>
  `title: ${title}
level: high
status: test
author: Somebody Else
license: DRL
${more}tags: [attack.execution, attack.t1059.001]
logsource: {product: windows, category: process_creation}
detection:
  s:
    ${detection}
  condition: s
`;

/** Runs the job of an import that waits, as a worker would. */
export async function runImportJob(
  app: DetectionApp,
  clusterId: string,
  importId: string,
  call: Partial<JobCall> = {},
) {
  const job = app.test.composed.jobs.find(({ kind }) => kind === 'rule-import') as Job<{ importId: string }>;
  return job.run(
    { importId },
    { clusterId, signal: new AbortController().signal, progress: async () => undefined, ...call },
  );
}

/** Sends an archive in parts and starts its import; answers the id. */
export async function sendArchive(app: DetectionApp, archive: Buffer, as: ImportAs = {}): Promise<string> {
  const { role = 'engineer', where, pack = 'Hunters' } = as;
  const begun = await app.call(contract.beginRuleImport, { pack }, role, where);
  const { import_id } = begun.data;
  const { partBytes } = contract.IMPORT_LIMITS;
  for (let part = 0; part * partBytes < archive.length; part += 1) {
    const bytes = archive.subarray(part * partBytes, (part + 1) * partBytes).toString('base64');
    const sent = await app.call(contract.sendRuleImportPart, { import_id, part, bytes }, role, where);
    if (sent.http !== 200) throw new Error(sent.text);
  }
  const started = await app.call(contract.startRuleImport, { import_id }, role, where);
  if (started.http !== 200) throw new Error(started.text);
  return import_id;
}

/** Imports and answers the report. */
export async function importPack(
  app: DetectionApp,
  content: Buffer | Readonly<Record<string, string | Uint8Array>>,
  as: ImportAs = {},
): Promise<contract.RuleImport> {
  const import_id = await sendArchive(app, Buffer.isBuffer(content) ? content : archiveOf(content), as);
  await runImportJob(app, as.where?.clusterId ?? app.company.a.clusterId, import_id);
  return (await app.call(contract.readRuleImport, { import_id }, as.role ?? 'engineer', as.where)).data;
}

/** Rules that a filter lets through, all of them. */
export async function rulesOf(
  app: DetectionApp,
  filter: object = {},
  as: ImportAs = {},
): Promise<contract.PackRule[]> {
  const answer = await app.call(
    contract.listRules,
    { ...filter, pagesize: 500 },
    as.role ?? 'engineer',
    as.where,
  );
  return answer.data.data;
}
