import { entryOf } from '../yaml/yaml-value.ts';
import { type LintContext, type LintedDocument, scalarsOf, textIn } from './lint-context.ts';
import { found, type LintFinding } from './lint-sentences.ts';

// Tags (tags appendix 2.1): `namespace.name`, each once, those of ATT&CK with ids that it has.

/** Namespaces of the appendix. */
export const TAG_NAMESPACES = ['attack', 'car', 'cve', 'd3fend', 'detection', 'stp', 'tlp'] as const;
const TLP = new Set(['tlp.red', 'tlp.amber', 'tlp.amber-strict', 'tlp.green', 'tlp.clear', 'tlp.white']);
const DETECTION = new Set(['detection.dfir', 'detection.emerging-threats', 'detection.threat-hunting']);
const FORMAT = /^[a-z0-9_-]+\.[a-z0-9._-]+$/;
const TECHNIQUE = /^attack\.(t\d{4}(?:\.\d{3})?)$/;
const OTHER_ATTACK = /^attack\.(?:[gscm]\d{4}|ds\d{4}|ta\d{4})$/;

function valueFinding(
  tag: string,
  span: { start: number; end: number },
  attack: LintContext['attack'],
): LintFinding | null {
  if (tag.startsWith('attack.')) {
    const technique = TECHNIQUE.exec(tag)?.[1]?.toUpperCase();
    if (technique !== undefined)
      return attack && !attack.techniques.has(technique)
        ? found('techniqueUnknown', span, { technique })
        : null;
    const tactic = tag.slice('attack.'.length).replaceAll('_', '-');
    if (OTHER_ATTACK.test(tag) || !attack || attack.tactics.has(tactic)) return null;
    return found('tacticUnknown', span, { tactic });
  }
  const isWrong =
    (tag.startsWith('tlp.') && !TLP.has(tag)) ||
    (tag.startsWith('detection.') && !DETECTION.has(tag)) ||
    (tag.startsWith('cve.') && !/^cve\.\d{4}[-.]\d{1,7}$/.test(tag)) ||
    (tag.startsWith('car.') && !/^car\.\d{4}-\d{2}-\d{3}$/.test(tag)) ||
    (tag.startsWith('stp.') && !/^stp\.[1-5][auk]?$/.test(tag));
  return isWrong ? found('tagValue', span, { tag }) : null;
}

/** Checks of the tags. */
export function lintTags({ map }: LintedDocument, { attack }: LintContext): readonly LintFinding[] {
  const seen = new Set<string>();
  return scalarsOf(entryOf(map, 'tags')?.value).flatMap((value): readonly LintFinding[] => {
    const tag = textIn(value);
    const { span } = value;
    if (!FORMAT.test(tag)) return [found('tagFormat', span, { tag })];
    const isTwice = seen.has(tag);
    seen.add(tag);
    const [namespace = ''] = tag.split('.');
    const isKnown = (TAG_NAMESPACES as readonly string[]).includes(namespace);
    const wrong = valueFinding(tag, span, attack);
    return [
      ...(isTwice ? [found('tagTwice', span, { tag })] : []),
      ...(isKnown ? [] : [found('tagNamespace', span, { namespace })]),
      ...(wrong ? [wrong] : []),
    ];
  });
}
