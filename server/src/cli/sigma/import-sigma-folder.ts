import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { IMPORT_LIMITS, RULE_CHANGES, RULE_VERDICTS, type RuleImport, tarOf } from '@tyrian/contract';
import { createAuditService } from '../../features/identity/audit/audit-service.ts';
import { createImportsService, type ImportScope } from '../../features/rules/imports-service.ts';
import { ruleImportRequest } from '../../features/rules/rule-import-request.ts';
import { isSampleFile } from '../../features/rules/sample-files.ts';
import { systemClock as clock } from '../../platform/clock.ts';
import { readConfig } from '../../platform/config.ts';
import { createLog } from '../../platform/log.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { UsageError } from '../command.ts';
import { identityServices, pick, saying } from '../identity-services.ts';
import { withRecords } from '../open-records.ts';
import { findSigmaFiles, isRuleFile } from './find-sigma-files.ts';

// `sigma import`: hands the rules of a folder, or an archive, to the job that the console starts as well. A running
// server does it; its progress and report are printed.

export interface SigmaImport {
  readonly source: string;
  readonly tenant: string | undefined;
  readonly scope: string | undefined;
  /** The name of the folder or file when absent. */
  readonly pack: string | undefined;
}

const LOOK_AGAIN_MS = 500;
/** Without a word from any worker for so long the command ends; the job waits for one. */
const PATIENCE_MS = 60_000;
const SHOWN = 10;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

function archiveOf(source: string): Buffer {
  const found = statSync(source, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`${source} is not there`);
  if (!found.isDirectory()) return readFileSync(source);
  const isWanted = (file: string) => isRuleFile(file) || isSampleFile(file.split(path.sep).join('/'));
  const files = findSigmaFiles([source], isWanted).map((file) => {
    const name = path.relative(source, file).split(path.sep).join('/');
    // What is longer than a rule may be is refused by its length alone.
    return { path: name, bytes: readFileSync(file) };
  });
  if (files.length === 0) throw new UsageError(`${source} holds no rule (.yml or .yaml)`);
  return gzipSync(tarOf(files));
}

const nameOf = (source: string): string =>
  path.basename(path.resolve(source)).replace(/\.(tar\.gz|tgz|tar|zip|ya?ml)$/i, '');

async function scopeOf(postgres: Postgres, { tenant, scope }: SigmaImport): Promise<ImportScope> {
  const tenants = await identityServices(postgres).tenants.all();
  const only = tenants.length === 1 ? tenants[0]?.clusterId : undefined;
  const wanted = tenant ?? only;
  if (wanted === undefined) throw new UsageError('--tenant is missing');
  const found = pick('tenant', wanted, tenants, (one) => [one.clusterId, one.name]);
  const scopes = found.scopes;
  const wantedScope = scope ?? (scopes.length === 1 ? scopes[0]?.scopeId : undefined);
  if (wantedScope === undefined) throw new UsageError('--scope is missing');
  const { scopeId } = pick('scope', wantedScope, scopes, (one) => [one.scopeId, one.name]);
  const author = { userId: '', name: 'command line' };
  return { clusterId: found.clusterId, scopeId, author, who: null, source: 'command line' };
}

/** Imports and waits for the report; resolves with the exit code. */
export async function importSigmaFolder(
  request: SigmaImport,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const archive = archiveOf(request.source);
  return withRecords(readConfig(env), async (postgres) => {
    const scope = await scopeOf(postgres, request);
    const audit = createAuditService({ postgres, clock, log: createLog('error') });
    const imports = createImportsService({ postgres, clock, audit, job: ruleImportRequest });
    const { partBytes } = IMPORT_LIMITS;
    const pack = request.pack ?? nameOf(request.source);
    const { import_id } = await saying(imports.begin(scope, { pack, kind: 'imported' }));
    for (let part = 0; part * partBytes < archive.length; part += 1) {
      const bytes = archive.subarray(part * partBytes, (part + 1) * partBytes);
      await saying(imports.part(scope, { import_id, part, bytes }));
    }
    await saying(imports.start(scope, import_id));
    return report(await watched(() => imports.read(scope.clusterId, import_id)));
  });
}

async function watched(read: () => Promise<RuleImport>): Promise<RuleImport> {
  const begun = Date.now();
  let shown = 0;
  for (;;) {
    const one = await read();
    if (one.state !== 'waiting' && one.state !== 'running') return one;
    if (one.state === 'waiting' && Date.now() - begun > PATIENCE_MS) return one;
    if (process.stderr.isTTY && one.files_total !== null && Date.now() - shown > 1_000) {
      shown = Date.now();
      process.stderr.write(`\r${one.files_done} of ${one.files_total} files`);
    }
    await pause(LOOK_AGAIN_MS);
  }
}

function report(one: RuleImport): number {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  if (one.state === 'waiting') {
    say(`${one.pack}: the import waits; it begins when a server runs`);
    return 0;
  }
  if (one.state !== 'done') {
    say(`${one.pack}: ${one.state}${one.error === null ? '' : `: ${one.error}`}`);
    return 1;
  }
  const total = Object.values(one.verdicts).reduce((sum, count) => sum + count, 0);
  say(`${one.pack}: ${total} rules`);
  for (const verdict of RULE_VERDICTS) line(verdict, one.verdicts[verdict] ?? 0);
  list('by tactic', one.tactics);
  list('by log source', one.log_sources);
  say('');
  say('since the last import');
  for (const change of RULE_CHANGES)
    line(change === 'verdict' ? 'other verdict' : change, one.changes[change] ?? 0);
  return 0;
}

const line = (name: string, count: number): void => say(`${String(count).padStart(6)}  ${name}`);

function list(title: string, counts: Readonly<Record<string, number>>): void {
  say('');
  say(title);
  const sorted = Object.entries(counts).sort(([, one], [, other]) => other - one);
  for (const [name, count] of sorted.slice(0, SHOWN)) line(name, count);
  if (sorted.length > SHOWN) say(`        and ${sorted.length - SHOWN} more`);
}
