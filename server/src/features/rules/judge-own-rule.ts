import { OWN_PACK } from '@tyrian/contract';
import { judgeSigma, type Refusal, readOneSigma, sigmaLibrary } from '@tyrian/sigma';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { ownRuleWithId, textsThatMeet } from './own-rule-store.ts';
import { hashed, type JudgedRule, type KnownRule, knownRules } from './pack-rule-store.ts';
import { readPack } from './read-pack.ts';
import { judgedFor } from './rule-about.ts';
import type { TenantReach } from './tenant-reach.ts';

// What a text would make of the tenant's own rules: its verdict, and what becomes of the own rules that name it.

export interface JudgedOwnRule {
  /** Null when the text is no single rule. */
  readonly rule: JudgedRule | null;
  /** Why the text does not compile; null when it does. */
  readonly refusal: Refusal | null;
  /** Rules that are written: the rule itself, and others that compile to something else now. */
  readonly changed: readonly JudgedRule[];
  /** Titles of rules that compiled and would not any more. */
  readonly breaks: readonly string[];
  /** The title of another own rule with the same id. */
  readonly sameId: string | null;
}

const NEVER = new AbortController().signal;
const isBroken = ({ verdict }: Pick<KnownRule, 'verdict'>): boolean =>
  verdict === 'invalid' || verdict === 'unsupported';

/** The name of a file that a rule would have. */
const fileNameOf = (title: string): string =>
  `${
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 80) || 'rule'
  }.yml`;

/** Reads the texts together; each keeps its own id, whatever id its text has. */
async function judgedTexts(
  texts: ReadonlyMap<string, string>,
  reach: TenantReach,
): Promise<readonly JudgedRule[]> {
  const files = [...texts].map(([path, text]) => {
    const bytes = Buffer.from(text, 'utf8');
    return { path, bytes, size: bytes.length };
  });
  const read = await readPack(OWN_PACK, { rules: files, samples: [] }, NEVER, async () => undefined);
  return read.map((rule) => {
    const own = { ...rule, ruleId: rule.path, path: fileNameOf(rule.title) };
    return hashed({ ...own, ...judgedFor(own, reach) });
  });
}

/** What the text makes of the rule `ruleId` and of those that name it. Nothing is written. */
export async function judgeOwnRule(
  trx: TenantTransaction,
  clusterId: string,
  ruleId: string,
  text: string,
  reach: TenantReach,
): Promise<JudgedOwnRule> {
  const read = readOneSigma(text);
  if (!read.ok) {
    const refusal = judgeSigma(read, sigmaLibrary([]), {}) as Refusal;
    return { rule: null, refusal, changed: [], breaks: [], sameId: null };
  }
  const others = await textsThatMeet(trx, clusterId, read.document.kind !== 'rule');
  const texts = new Map(others.map((one) => [one.ruleId, one.text]));
  texts.set(ruleId, text);
  const rules = await judgedTexts(texts, reach);
  const known = await knownRules(trx, clusterId, OWN_PACK);
  const rule = rules.find((one) => one.ruleId === ruleId) ?? null;
  return {
    rule,
    refusal: rule && isBroken(rule) ? refusalOf(rule) : null,
    changed: rules.filter((one) => one.ruleId === ruleId || differs(one, known.get(one.ruleId))),
    breaks: titlesOfBroken(rules, known, ruleId),
    sameId: await ownRuleWithId(trx, clusterId, read.document.id ?? null, ruleId),
  };
}

/** What becomes of the others when a rule goes. */
export async function judgeWithout(
  trx: TenantTransaction,
  clusterId: string,
  ruleId: string,
  reach: TenantReach,
): Promise<Pick<JudgedOwnRule, 'changed' | 'breaks'>> {
  const others = (await textsThatMeet(trx, clusterId, false)).filter((one) => one.ruleId !== ruleId);
  if (others.length === 0) return { changed: [], breaks: [] };
  const rules = await judgedTexts(new Map(others.map((one) => [one.ruleId, one.text])), reach);
  const known = await knownRules(trx, clusterId, OWN_PACK);
  return {
    changed: rules.filter((one) => differs(one, known.get(one.ruleId))),
    breaks: titlesOfBroken(rules, known, ruleId),
  };
}

const differs = (rule: JudgedRule, before: KnownRule | undefined): boolean =>
  before === undefined || before.fingerprint !== rule.fingerprint || before.verdict !== rule.verdict;

const titlesOfBroken = (
  rules: readonly JudgedRule[],
  known: ReadonlyMap<string, KnownRule>,
  exceptRuleId: string,
): readonly string[] =>
  rules.flatMap((rule) => {
    const before = known.get(rule.ruleId);
    const isNew = rule.ruleId !== exceptRuleId && before && !isBroken(before) && isBroken(rule);
    return isNew ? [rule.title] : [];
  });

const refusalOf = (rule: JudgedRule): Refusal => ({
  verdict: rule.verdict as Refusal['verdict'],
  reason: rule.about.reason,
  code: rule.reasonCode ?? '',
  span: rule.about.span ?? { start: 0, end: 0 },
});
