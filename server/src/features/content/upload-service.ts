import { gzipSync } from 'node:zlib';
import {
  type ContentItem,
  codedText,
  decisionsFor,
  type ItemDecision,
  type OutputOf,
  tarOf,
  type uploadContent,
  usualDecision,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { PackExchange } from '../rules/pack-exchange.ts';
import { readContentFiles } from './content-files.ts';
import { type ItemDeps, type KnownItem, readItems } from './content-items.ts';
import type { ContentScope } from './updates-service.ts';

// Content that comes in as a file: first what it would do, then what was decided. The same file is sent for both, so that
// nothing waits on the server, and every step reads what is there at that moment.

interface ImportToStart {
  readonly pack: string;
  readonly archive: Buffer;
  readonly review: boolean;
  readonly settings: NonNullable<KnownItem['settings']>['rules'];
}

export interface UploadDeps extends ItemDeps {
  readonly audit: AuditService;
  readonly packs: Pick<PackExchange, 'preview' | 'freeName'>;
  readonly importWorkbook: (
    scope: ContentScope,
    input: {
      readonly file: string;
      readonly file_name: string;
      readonly as: 'new' | 'copy' | 'version';
      readonly ID?: string | undefined;
      readonly version?: number | undefined;
    },
  ) => Promise<{ readonly ID: string; readonly version: number }>;
  /** Begins an import of rules beside those that are there; answers its id. */
  readonly importRules: (scope: ContentScope, one: ImportToStart) => Promise<string>;
}

type Input = z.output<typeof uploadContent.input>;
type Report = OutputOf<typeof uploadContent>;

/** Does one step of an upload. Throws AppError `bad-input` for an archive that cannot be read as a whole. */
export async function takeUpload(
  deps: UploadDeps,
  scope: ContentScope,
  input: Input,
  signal: AbortSignal,
): Promise<Report> {
  const { step, file_name: name } = input;
  const bytes = typeof input.file === 'string' ? Buffer.from(input.file, 'base64') : Buffer.from(input.file);
  const files = readContentFiles(bytes, name);
  const items = await readItems(deps, scope, files, usualPack(input), signal);
  const report: Report = { step, items: items.map(({ item }) => item), imports: [] };
  if (step === 'preview') {
    await note(deps, scope, input, report);
    return report;
  }
  const decisions = items.map(({ item }) => decisionOf(item, input.decisions));
  const outcomes = new Map<string, Partial<ContentItem>>();
  for (const [at, one] of items.entries()) {
    signal.throwIfAborted();
    if (one.item.kind === 'workbook')
      outcomes.set(one.item.item_id, await takeWorkbook(deps, scope, one, decisions[at] ?? 'skip'));
  }
  const chosen = items.map((one, at) => ({ ...one, decision: decisions[at] ?? 'skip' }));
  report.imports.push(...(await takeRules(deps, scope, chosen, input.review, outcomes)));
  report.items = items.map(({ item }) => ({
    ...item,
    outcome: 'skipped' as const,
    ...outcomes.get(item.item_id),
  }));
  await note(deps, scope, input, report);
  return report;
}

/** Rules outside of a folder of a pack belong to the pack named, else to one named as the file. */
function usualPack({ pack, file_name }: Input): string {
  const own = file_name.split(/[\\/]/).at(-1) ?? '';
  return pack || own.replace(/(\.tar)?\.\w+$/, '').slice(0, 120) || 'Uploaded rules';
}

function decisionOf(item: ContentItem, decisions: Input['decisions']): ItemDecision {
  const wanted = decisions[item.item_id] ?? usualDecision(item);
  return decisionsFor(item).includes(wanted) ? wanted : 'skip';
}

async function takeWorkbook(
  deps: UploadDeps,
  scope: ContentScope,
  { item, text }: KnownItem,
  decision: ItemDecision,
): Promise<Partial<ContentItem>> {
  if (decision === 'skip') return { outcome: 'skipped' };
  const { existing } = item;
  const file = { file: text, file_name: item.path.split('/').at(-1) ?? item.path };
  try {
    if (decision === 'take' && existing) {
      const saved = await deps.importWorkbook(scope, { ...file, as: 'version', ...existing });
      return { outcome: 'replaced', existing: saved };
    }
    const saved = await deps.importWorkbook(scope, { ...file, as: decision === 'both' ? 'copy' : 'new' });
    return { outcome: decision === 'both' ? 'copied' : 'added', existing: saved };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { outcome: 'failed', problem: { ...codedText(error.said), line: null } };
  }
}

interface ChosenItem extends KnownItem {
  readonly decision: ItemDecision;
}

/** Starts an import for each pack of which something was chosen. */
async function takeRules(
  deps: UploadDeps,
  scope: ContentScope,
  items: readonly ChosenItem[],
  review: boolean,
  outcomes: Map<string, Partial<ContentItem>>,
): Promise<Report['imports']> {
  const imports: Report['imports'] = [];
  const packs = new Set(items.flatMap(({ item }) => (item.kind === 'rule' ? [item.pack] : [])));
  for (const pack of packs) {
    const ofPack = items.filter(({ item }) => item.pack === pack);
    const rules = ofPack.filter(({ item }) => item.kind === 'rule');
    const settings = ofPack.flatMap((one) => (one.settings && one.decision === 'take' ? [one] : []));
    const taken = rules.filter(({ decision }) => decision === 'take');
    const beside = rules.filter(({ decision }) => decision === 'both');
    // Rules that are there already give the others their context.
    const held = rules.filter(({ item, decision }) => decision === 'take' || item.state === 'same');
    const start = async (name: string, files: readonly ChosenItem[], isOwn: boolean) => {
      const about = isOwn ? settings.flatMap((one) => one.settings?.rules ?? []) : [];
      const asked = { pack: name, archive: archiveOf(files), settings: about, review: review && isOwn };
      const begun = await began(deps, scope, asked);
      if (begun.import_id !== null) imports.push({ pack: name, import_id: begun.import_id });
      for (const { item } of isOwn ? [...taken, ...settings] : beside)
        outcomes.set(item.item_id, begun.outcome);
    };
    if (taken.length > 0 || (settings.length > 0 && held.length > 0)) await start(pack, held, true);
    if (beside.length > 0) await start(await deps.packs.freeName(scope.clusterId, pack), beside, false);
  }
  return imports;
}

/** One pack that is refused leaves the others alone. */
async function began(
  deps: UploadDeps,
  scope: ContentScope,
  one: ImportToStart,
): Promise<{ readonly import_id: string | null; readonly outcome: Partial<ContentItem> }> {
  try {
    return { import_id: await deps.importRules(scope, one), outcome: { outcome: 'importing' } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const problem = { ...codedText(error.said), line: null };
    return { import_id: null, outcome: { outcome: 'failed', problem } };
  }
}

const archiveOf = (files: readonly ChosenItem[]): Buffer =>
  gzipSync(tarOf(files.map(({ rulePath, text }) => ({ path: rulePath, bytes: Buffer.from(text) }))));

async function note(deps: UploadDeps, scope: ContentScope, input: Input, report: Report): Promise<void> {
  const { clusterId, scopeId, caller } = scope;
  const count = (of: (item: ContentItem) => string | null) => {
    const counted: Record<string, number> = {};
    for (const name of report.items.map(of)) if (name !== null) counted[name] = (counted[name] ?? 0) + 1;
    return counted;
  };
  const details = {
    file: input.file_name,
    items: count(({ state }) => state),
    outcomes: count(({ outcome }) => outcome),
    packs: report.imports.map(({ pack }) => pack).slice(0, 20),
  };
  const action = input.step === 'preview' ? 'content.import.preview' : 'content.import';
  await deps.audit.record({ action, who: caller, clusterId, scopeId, entity: input.file_name, details });
}
