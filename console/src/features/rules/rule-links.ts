import type { RuleFilter } from '@tyrian/contract';
import { RULE_LEVELS, RULE_VERDICTS, SAMPLE_STATES } from '@tyrian/contract';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';

/** Paths of rules at the place of the session. */
export function useRulePaths() {
  const scope = useScope();
  return {
    list: scopePath(scope, '/rules'),
    previews: scopePath(scope, '/rules/previews'),
    updates: `${scopePath(scope, '/updates')}?kind=rule`,
    page: (ruleId: string): string => scopePath(scope, `/rules/${encodeURIComponent(ruleId)}`),
    new: scopePath(scope, '/rules/new'),
    fromTemplate: (name: string): string => `${scopePath(scope, '/rules/new')}?template=${name}`,
    copyOf: (ruleId: string): string =>
      `${scopePath(scope, '/rules/new')}?from=${encodeURIComponent(ruleId)}`,
    edit: (ruleId: string): string => scopePath(scope, `/rules/${encodeURIComponent(ruleId)}/edit`),
  };
}

/** What the address of the list says: each empty when it says nothing. */
export interface RuleListLink {
  readonly q: string;
  readonly verdict: string;
  readonly level: string;
  readonly source: string;
  readonly tactic: string;
  readonly pack: string;
  readonly on: string;
  readonly samples: string;
  readonly sort: string;
}

/** Changes parts of it. */
export type ChangeLink = (part: Partial<RuleListLink>) => void;

const KEYS = ['q', 'verdict', 'level', 'source', 'tactic', 'pack', 'on', 'samples', 'sort'] as const;

export const readRuleListLink = (params: URLSearchParams): RuleListLink =>
  Object.fromEntries(KEYS.map((key) => [key, params.get(key) ?? ''])) as unknown as RuleListLink;

export function writeRuleListLink(link: RuleListLink): URLSearchParams {
  return new URLSearchParams(KEYS.flatMap((key) => (link[key] === '' ? [] : [[key, link[key]]])));
}

const oneOf = <T extends string>(value: string, all: readonly T[]): T | undefined =>
  all.find((one) => one === value);

/** The filter of the calls. */
export function ruleFilterOf(link: RuleListLink): RuleFilter {
  const verdict = oneOf(link.verdict, RULE_VERDICTS);
  const level = oneOf(link.level, RULE_LEVELS);
  const samples = oneOf(link.samples, SAMPLE_STATES);
  return {
    ...(link.q ? { text: link.q } : {}),
    ...(verdict ? { verdict } : {}),
    ...(level ? { level } : {}),
    ...(link.source ? { log_source: link.source } : {}),
    ...(link.tactic ? { tactic: link.tactic } : {}),
    ...(link.pack ? { pack_id: link.pack } : {}),
    ...(samples ? { samples } : {}),
    ...(link.on ? { enabled: link.on === 'true' } : {}),
  };
}

export const isFiltered = (link: RuleListLink): boolean =>
  KEYS.some((key) => key !== 'sort' && link[key] !== '');
