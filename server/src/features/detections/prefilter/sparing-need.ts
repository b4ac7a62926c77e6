import { allNeeds, type Need, visitLiterals } from './literal-need.ts';

// Which of several literals that a rule needs are looked for at all. A field below Ext costs the engine a file of its own,
// so where a rule names a stored column too, that must do; and a text that tells kinds of events, like a number of an event,
// does not narrow a rule down, but costs next to nothing.

/** Columns that say of what kind an event is. */
const KINDS: ReadonlySet<string> = new Set([
  'EventType',
  'EventID',
  'EventVendor',
  'EventProduct',
  'EventResult',
  'Stream',
  'Channel',
  'Provider',
  'SourceType',
  'CloudService',
]);

interface Traits {
  readonly readsField: boolean;
  readonly tellsKindOnly: boolean;
}

function traitsOf(need: Need): Traits {
  let [readsField, tellsKindOnly] = [false, false];
  visitLiterals(need, ({ text }) => {
    readsField ||= text.columns.some(({ type }) => type === 'dynamic');
    tellsKindOnly ||= text.columns.every(({ source }) => KINDS.has(source.name));
  });
  return { readsField, tellsKindOnly };
}

/** The need without what costs more than it tells; it may ask for less, never for more. */
export function sparing(need: Need): Need {
  if (need.kind === 'literals') return need;
  const needs = need.needs.map(sparing);
  if (need.kind === 'one-of') return { ...need, needs };
  const traits = needs.map((each) => traitsOf(each));
  if (!traits.some(({ readsField, tellsKindOnly }) => !readsField && !tellsKindOnly))
    return { ...need, needs };
  return allNeeds(needs.filter((_, at) => traits[at]?.readsField === false)) ?? need;
}
