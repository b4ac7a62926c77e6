import { z } from 'zod';
import { idSchema } from '../envelope/list-request.ts';
import { messageFields } from '../messages/message-values.ts';
import { RULE_VERDICTS, ruleOverlaySchema } from '../rules/rule.ts';

// Content that leaves as an archive and comes back: workbooks, rules of packs, and what a scope changes about these rules.

/** What an archive of content may be. Larger packs are imported as packs, which takes their archive in parts. */
export const CONTENT_LIMITS = {
  /** Bytes of the archive as it is sent. */
  archiveBytes: 8 * 1024 * 1024,
  /** Bytes of all files together, unpacked. */
  unpackedBytes: 64 * 1024 * 1024,
  /** Files that are looked at. */
  files: 5_000,
  /** Workbooks of one archive. */
  workbooks: 500,
  /** Bytes of one file. */
  fileBytes: 1024 * 1024,
  /** Folders within each other. */
  depth: 32,
} as const;

export const CONTENT_FORMATS = ['tar.gz', 'tar', 'yaml'] as const;
export type ContentFormat = (typeof CONTENT_FORMATS)[number];

export const CONTENT_KINDS = ['workbook', 'rule', 'settings', 'unknown'] as const;
/**
 * `new`: nothing of the kind is there; `changed`: it would replace what is there; `clash`: what is there cannot be replaced,
 * but stand beside it; `same`: nothing would change; `invalid`: it cannot be taken; `ignored`: no content.
 */
export const ITEM_STATES = ['new', 'changed', 'clash', 'same', 'invalid', 'ignored'] as const;
export type ItemState = (typeof ITEM_STATES)[number];
/** `take` adds what is new and replaces what is there; `both` keeps what is there and adds a copy under another name. */
export const ITEM_DECISIONS = ['skip', 'take', 'both'] as const;
export type ItemDecision = (typeof ITEM_DECISIONS)[number];
export const ITEM_OUTCOMES = ['added', 'replaced', 'copied', 'skipped', 'failed', 'importing'] as const;

/** What can be decided about an item. */
export function decisionsFor({ kind, state }: Pick<ContentItem, 'kind' | 'state'>): readonly ItemDecision[] {
  if (state === 'invalid' || state === 'ignored' || state === 'same') return ['skip'];
  if (state === 'clash') return ['skip', 'both'];
  if (state === 'new' || kind === 'settings') return ['take', 'skip'];
  return ['take', 'both', 'skip'];
}

/** What happens to an item that nobody decided about: what is new is added, nothing is replaced. */
export const usualDecision = (item: Pick<ContentItem, 'kind' | 'state'>): ItemDecision =>
  item.state === 'new' ? 'take' : 'skip';

export const contentItemSchema = z.object({
  /** By its path, the same in every call with the same archive. */
  item_id: z.string(),
  path: z.string(),
  kind: z.enum(CONTENT_KINDS),
  state: z.enum(ITEM_STATES),
  name: z.string(),
  /** Of a rule and of settings. */
  pack: z.string(),
  /** Rules in the file, or rules that the settings are about. */
  count: z.number().int(),
  verdict: z.enum(RULE_VERDICTS).nullable(),
  /** What is there already. */
  existing: z.object({ ID: idSchema, version: z.number().int() }).nullable(),
  /** Why it cannot be taken; from 1 where a line is at fault. */
  problem: z.object({ message: z.string(), ...messageFields, line: z.number().int().nullable() }).nullable(),
  /** What was done; null in a preview. */
  outcome: z.enum(ITEM_OUTCOMES).nullable(),
});
export type ContentItem = z.output<typeof contentItemSchema>;

/** What a scope changes about rules of a pack, as a file of an archive: `settings/<pack>.yaml`. */
export const settingsFileSchema = z.strictObject({
  scope_settings: z.strictObject({
    pack: z.string().trim().min(1).max(120),
    rules: z
      .array(
        z.strictObject({
          path: z.string().max(1_000),
          position: z.number().int().min(0).default(0),
          sigma_id: z.string().max(300).nullable().default(null),
          title: z.string().max(300).default(''),
          overlay: ruleOverlaySchema,
        }),
      )
      .max(20_000),
  }),
});
export type SettingsFile = z.output<typeof settingsFileSchema>;
