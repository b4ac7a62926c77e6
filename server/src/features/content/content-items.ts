import { createHash } from 'node:crypto';
import {
  CONTENT_LIMITS,
  type ContentItem,
  codedText,
  type ServerMessage,
  type SettingsFile,
  say,
  sayOfField,
  settingsFileSchema,
} from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import { mistakesOf } from '../../platform/http/input-refusal.ts';
import type { PackExchange } from '../rules/pack-exchange.ts';
import { readYaml } from '../workbooks/read-yaml.ts';
import type { ContentFile } from './content-files.ts';
import { decodePack } from './download-service.ts';
import type { ContentScope } from './updates-service.ts';

// What each file of an archive is, and what it would do. Nothing is written here.

interface PreviewOfWorkbook extends Pick<ContentItem, 'state' | 'name' | 'existing' | 'problem'> {}

export interface ItemDeps {
  readonly previewWorkbook: (scope: ContentScope, text: string) => Promise<PreviewOfWorkbook>;
  readonly packs: Pick<PackExchange, 'preview'>;
}

/** A file with what it is. */
export interface KnownItem {
  readonly item: ContentItem;
  readonly text: string;
  /** Of a rule: its path within its pack. */
  readonly rulePath: string;
  readonly settings: SettingsFile['scope_settings'] | null;
  /** Of a rule: its pack is that of the tenant's own rules. */
  readonly isOwn: boolean;
}

const idOf = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 20);

function itemOf(path: string, part: Partial<ContentItem>): ContentItem {
  return {
    ...{ item_id: idOf(path), path, kind: 'unknown', state: 'invalid', name: '', pack: '', count: 0 },
    ...{ verdict: null, existing: null, problem: null, outcome: null },
    ...part,
  };
}

const problemOf = (said: ServerMessage): ContentItem['problem'] => ({ ...codedText(said), line: null });

const known = (path: string, part: Partial<ContentItem>, more: Partial<KnownItem> = {}): KnownItem => ({
  ...{ item: itemOf(path, part), text: '', rulePath: '', settings: null, isOwn: false },
  ...more,
});

/** By what stands at the beginning of its lines; the readers say what is wrong with the rest. */
function kindOf(text: string): ContentItem['kind'] {
  if (/^scope_settings\s*:/m.test(text)) return 'settings';
  if (/^blocks\s*:/m.test(text)) return 'workbook';
  return /^(detection|correlation|filter|logsource)\s*:/m.test(text) ? 'rule' : 'unknown';
}

/** `rules/<pack>/<path>`; rules elsewhere belong to the pack of the upload. */
function packOf(path: string, usual: string): { readonly pack: string; readonly rulePath: string } {
  const [root, folder, ...rest] = path.split('/');
  if (root !== 'rules' || folder === undefined || rest.length === 0) return { pack: usual, rulePath: path };
  return { pack: decodePack(folder).trim().slice(0, 120) || usual, rulePath: rest.join('/') };
}

/** What each file is and would do, in the order of the files. Throws AppError `bad-input` for too many workbooks. */
export async function readItems(
  deps: ItemDeps,
  scope: ContentScope,
  files: readonly ContentFile[],
  usualPack: string,
  signal: AbortSignal,
): Promise<readonly KnownItem[]> {
  const kinds = new Map(files.map((file) => [file, file.problem || file.isOther ? null : kindOf(file.text)]));
  if ([...kinds.values()].filter((kind) => kind === 'workbook').length > CONTENT_LIMITS.workbooks)
    throw new AppError('bad-input', say('content.tooManyWorkbooks', { most: CONTENT_LIMITS.workbooks }));
  const rules = await readRules(
    deps,
    scope,
    files.filter((file) => kinds.get(file) === 'rule'),
    usualPack,
    signal,
  );
  const names = new Set<string>();
  const items: KnownItem[] = [];
  for (const file of files) {
    signal.throwIfAborted();
    const { path, problem, isOther, text } = file;
    const kind = kinds.get(file);
    if (isOther) items.push(known(path, { state: 'ignored' }));
    else if (problem) items.push(known(path, { problem: problemOf(problem) }));
    else if (kind === 'rule') items.push(rules.get(file) ?? known(path, { kind }));
    else if (kind === 'settings') items.push(settingsItem(file));
    else if (kind === 'workbook') items.push(await workbookItem(deps, scope, file, names));
    else items.push(known(path, { problem: problemOf(say('content.notContent')) }, { text }));
  }
  return withSettings(items);
}

async function workbookItem(
  deps: ItemDeps,
  scope: ContentScope,
  { path, text }: ContentFile,
  names: Set<string>,
): Promise<KnownItem> {
  const preview = await deps.previewWorkbook(scope, text);
  const name = preview.name.toLowerCase();
  const isTwice = preview.state !== 'invalid' && names.has(name);
  names.add(name);
  const twice = isTwice ? ({ state: 'invalid', problem: problemOf(say('content.nameTwice')) } as const) : {};
  return known(path, { kind: 'workbook', count: 1, ...preview, ...twice }, { text });
}

async function readRules(
  deps: ItemDeps,
  { clusterId }: ContentScope,
  files: readonly ContentFile[],
  usualPack: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<ContentFile, KnownItem>> {
  const placed = files.map((file) => ({ file, ...packOf(file.path, usualPack) }));
  const items = new Map<ContentFile, KnownItem>();
  for (const pack of new Set(placed.map((one) => one.pack))) {
    const ofPack = placed.filter((one) => one.pack === pack);
    const archive = ofPack.map(({ file, rulePath }) => {
      const bytes = Buffer.from(file.text);
      return { path: rulePath, bytes, size: bytes.length };
    });
    const previews = await deps.packs.preview(clusterId, pack, archive, signal);
    const byPath = new Map(previews.map((preview) => [preview.path, preview]));
    for (const { file, rulePath } of ofPack) {
      const found = byPath.get(rulePath);
      if (!found) continue;
      const { state, title: name, count, verdict, reason, existing, isOwn } = found;
      const said = { invalid: say('content.ruleInvalid', { reason }), clash: say('packs.ownPack') };
      const problem = state === 'invalid' || state === 'clash' ? problemOf(said[state]) : null;
      const part = { kind: 'rule', state, name, count, verdict, existing, pack, problem } as const;
      items.set(file, known(file.path, part, { text: file.text, rulePath, isOwn }));
    }
  }
  return items;
}

function settingsItem({ path, text }: ContentFile): KnownItem {
  const wrong = (problem: ServerMessage, line: number | null = null) =>
    known(path, {
      kind: 'settings',
      problem: { ...codedText(say('content.settingsWrong', { problem })), line },
    });
  const answer = readYaml(text);
  const [first] = answer.ok ? [] : answer.problems;
  if (!answer.ok) return wrong(first?.said ?? say('reasons.wrong'), first?.line ?? null);
  const parsed = settingsFileSchema.safeParse(answer.value, { reportInput: true });
  if (!parsed.success) {
    const [mistake = { path: '', reason: say('reasons.wrong') }] = mistakesOf(parsed.error.issues);
    return wrong(mistake.path === '' ? mistake.reason : sayOfField(mistake.path, mistake.reason));
  }
  const { scope_settings: settings } = parsed.data;
  const part = { kind: 'settings', state: 'changed', name: settings.pack, pack: settings.pack } as const;
  return known(path, { ...part, count: settings.rules.length }, { text, settings });
}

/** Settings are about rules that the same archive holds, and that an import may write. */
function withSettings(items: readonly KnownItem[]): readonly KnownItem[] {
  const packs = new Set(items.flatMap(({ item }) => (item.kind === 'rule' ? [item.pack] : [])));
  const own = new Set(items.flatMap(({ item, isOwn }) => (isOwn ? [item.pack] : [])));
  return items.map((one) => {
    const { item } = one;
    if (item.kind !== 'settings' || item.state === 'invalid') return one;
    const isOfOwn = own.has(item.pack);
    if (packs.has(item.pack) && !isOfOwn) return one;
    const problem = problemOf(
      isOfOwn ? say('packs.ownPack') : say('content.settingsAlone', { pack: item.pack }),
    );
    return { ...one, item: { ...item, state: 'invalid', problem } };
  });
}
