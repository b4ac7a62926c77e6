import { gzipSync } from 'node:zlib';
import {
  CONTENT_LIMITS,
  type ContentFormat,
  type downloadContent,
  type SettingsFile,
  say,
  tarOf,
} from '@tyrian/contract';
import { stringify } from 'yaml';
import type { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { RuleText } from '../rules/pack-exchange.ts';
import type { ContentScope } from './updates-service.ts';
import { yamlOfFiles } from './yaml-files.ts';

// Content as one file. The same content gives the same bytes, so that two archives can be compared.

/** Where the content comes from. */
export interface DownloadDeps {
  readonly audit: AuditService;
  readonly clock: Clock;
  readonly workbookTexts: (
    scope: ContentScope,
    ids: readonly string[],
  ) => Promise<
    readonly {
      readonly directory: string;
      readonly fileName: string;
      readonly text: string;
      readonly name: string;
    }[]
  >;
  readonly ruleTexts: (
    scope: ContentScope,
    chosen: { readonly ruleIds: readonly string[]; readonly filter: Input['rule_filter'] },
  ) => Promise<readonly RuleText[]>;
}

type Input = z.output<typeof downloadContent.input>;

interface TextFile {
  readonly path: string;
  readonly text: string;
}

const TYPES: Readonly<Record<ContentFormat, string>> = {
  'tar.gz': 'application/gzip',
  tar: 'application/x-tar',
  yaml: 'application/yaml; charset=utf-8',
};

/** What is sent. */
export interface ContentDownload {
  readonly fileName: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** Makes the archive and notes it in the audit trail. Throws AppError `not-found`, or `conflict` when it is too much. */
export async function makeDownload(
  deps: DownloadDeps,
  scope: ContentScope,
  input: Input,
): Promise<ContentDownload> {
  const { workbook_ids, rule_ids, rule_filter, settings, format } = input;
  const workbooks = await deps.workbookTexts(scope, workbook_ids);
  const rules =
    rule_ids.length > 0 || rule_filter !== undefined
      ? await deps.ruleTexts(scope, { ruleIds: rule_ids, filter: rule_filter })
      : [];
  const files = [...workbookFiles(workbooks), ...ruleFiles(rules), ...(settings ? settingsFiles(rules) : [])];
  const size = files.reduce((sum, { text }) => sum + text.length, 0);
  if (size > CONTENT_LIMITS.unpackedBytes || files.length > CONTENT_LIMITS.files)
    throw new AppError(
      'conflict',
      say('content.tooMuch', { most: CONTENT_LIMITS.unpackedBytes / 1024 ** 2 }),
    );
  const { clusterId, scopeId, caller } = scope;
  const details = {
    workbooks: workbooks.length,
    rules: rules.length,
    packs: [...new Set(rules.map(({ pack }) => pack))].slice(0, 20),
    names: workbooks.slice(0, 20).map(({ name }) => name),
    settings,
    format,
  };
  const entity = [`${workbooks.length} workbooks`, `${rules.length} rules`].join(', ');
  await deps.audit.record({ action: 'content.export', who: caller, clusterId, scopeId, entity, details });
  const day = new Date(deps.clock.now()).toISOString().slice(0, 10);
  return {
    fileName: `tyrian-content-${day}.${format}`,
    type: TYPES[format],
    bytes: packed(files, format),
  };
}

function packed(files: readonly TextFile[], format: ContentFormat): Buffer {
  if (format === 'yaml') return Buffer.from(yamlOfFiles(files));
  const tar = Buffer.from(tarOf(files.map(({ path, text }) => ({ path, bytes: Buffer.from(text) }))));
  return format === 'tar' ? tar : gzipSync(tar);
}

/** A name as part of a path, on every system. */
const pathPart = (name: string): string => {
  const plain = name.replace(/[\p{Cc}<>:"\\|?*]/gu, '_').trim();
  return /^\.*$/.test(plain) ? '_' : plain;
};

const folderOf = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => `${pathPart(part)}/`)
    .join('');

function workbookFiles(workbooks: Awaited<ReturnType<DownloadDeps['workbookTexts']>>): readonly TextFile[] {
  const taken = new Set<string>();
  return workbooks.map(({ directory, fileName, text }) => {
    const stem = `workbooks/${folderOf(directory)}${fileName.replace(/\.yaml$/, '')}`;
    let path = `${stem}.yaml`;
    for (let count = 2; taken.has(path); count += 1) path = `${stem}-${count}.yaml`;
    taken.add(path);
    return { path, text };
  });
}

/** A file with several rules leaves once. The name of the pack is one folder, whatever is in it. */
function ruleFiles(rules: readonly RuleText[]): readonly TextFile[] {
  const files = new Map<string, TextFile>();
  for (const { pack, path, text } of rules) {
    const full = `rules/${encodePack(pack)}/${path}`;
    files.set(full, { path: full, text });
  }
  return [...files.values()];
}

/** The name of a pack as one folder, from which it can be read again. */
const encodePack = (pack: string): string =>
  encodeURIComponent(pack)
    .replace(/%20/g, ' ')
    .replace(/^\.+/, (dots) => dots.replaceAll('.', '%2E'));

export function decodePack(folder: string): string {
  try {
    return decodeURIComponent(folder);
  } catch {
    return folder;
  }
}

function settingsFiles(rules: readonly RuleText[]): readonly TextFile[] {
  const packs = [...new Set(rules.map(({ pack }) => pack))];
  return packs.flatMap((pack) => {
    const changed = rules.flatMap(({ overlay, path, position, sigmaId, title, ...rule }) =>
      rule.pack === pack && overlay !== null ? [{ path, position, sigma_id: sigmaId, title, overlay }] : [],
    );
    if (changed.length === 0) return [];
    const file: SettingsFile = { scope_settings: { pack, rules: changed } };
    return [{ path: `settings/${encodePack(pack)}.yaml`, text: stringify(file, { lineWidth: 110 }) }];
  });
}
