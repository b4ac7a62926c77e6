import { z } from 'zod';
import { ATTACK_STATES, type AttackMatrix, type AttackState, techniqueIdSchema } from './attack.ts';

// Layers of the ATT&CK Navigator, format 4.5: what we write, and what we read of those of others. Older formats name the
// same fields for what is read here.

/** Colours of the states in a layer, worst to best. */
const COLOURS: Readonly<Record<AttackState, string>> = {
  none: '',
  off: '#c3c3cb',
  blind: '#e0680b',
  on: '#5aa9e6',
  proven: '#2b8a4b',
};

/** What a state is called in the legend of a layer. */
const LEGEND: Readonly<Record<AttackState, string>> = {
  none: 'No rule',
  off: 'Rule off',
  blind: 'On, but blind',
  on: 'On',
  proven: 'Proven',
};

const MOST_TECHNIQUES = 5_000;
const named = z.object({ name: z.string().max(500), value: z.string().max(2_000) });

/** What is read of a layer; whatever else it holds is left alone. */
export const navigatorLayerSchema = z.object({
  name: z.string().min(1).max(200),
  domain: z.string().max(60).optional(),
  description: z.string().max(20_000).optional(),
  versions: z
    .object({ attack: z.string().max(20).optional(), layer: z.string().max(20).optional() })
    .optional(),
  techniques: z
    .array(
      z.object({
        techniqueID: techniqueIdSchema,
        tactic: z.string().max(60).nullish(),
        score: z.number().nullish(),
        color: z.string().max(40).nullish(),
        enabled: z.boolean().nullish(),
        // The Navigator puts dividers between metadata, which have no name.
        metadata: z
          .array(z.union([named, z.object({ divider: z.boolean() })]))
          .max(100)
          .nullish(),
      }),
    )
    .max(MOST_TECHNIQUES),
});
export type NavigatorLayer = z.output<typeof navigatorLayerSchema>;

/** What a layer says of a technique: our own layers its state, those of others that it is marked. */
export interface LayerMark {
  readonly technique: string;
  /** Null in a layer of others. */
  readonly state: AttackState | null;
  readonly score: number | null;
}

const stateIn = (metadata: NavigatorLayer['techniques'][number]['metadata']): AttackState | null => {
  for (const one of metadata ?? [])
    if ('name' in one && one.name === 'state')
      return ATTACK_STATES.find((state) => state === one.value) ?? null;
  return null;
};

/** The techniques that a layer marks, each once, whatever the tactic: with a score other than 0, or a colour. */
export function marksOf(layer: NavigatorLayer): readonly LayerMark[] {
  const marks = new Map<string, LayerMark>();
  for (const { techniqueID, score, color, enabled, metadata } of layer.techniques) {
    const state = stateIn(metadata);
    const isMarked = state !== null || (score ?? 0) !== 0 || (color ?? '') !== '';
    if (enabled === false || !isMarked) continue;
    const known = marks.get(techniqueID);
    if (known && (known.score ?? 0) >= (score ?? 0)) continue;
    marks.set(techniqueID, { technique: techniqueID, state, score: score ?? null });
  }
  return [...marks.values()];
}

/** The matrix as a layer. Its scores are the states in their order, or the numbers of signals. */
export function layerOfMatrix(
  matrix: AttackMatrix,
  about: { readonly name: string; readonly description: string; readonly tab: 'coverage' | 'signals' },
): object {
  const [major = ''] = matrix.version.split('.');
  const most = Math.max(1, ...cellsOf(matrix).map(({ signal_count }) => signal_count));
  return {
    name: about.name,
    versions: { attack: major, navigator: '5.1.0', layer: '4.5' },
    domain: 'enterprise-attack',
    description: about.description,
    sorting: 0,
    layout: { layout: 'side', showID: true, showName: true, aggregateFunction: 'max' },
    hideDisabled: false,
    techniques: cellsOf(matrix).map(({ id, state, active, blind, total, signal_count, has_subs }) => ({
      techniqueID: id,
      score: about.tab === 'signals' ? signal_count : ATTACK_STATES.indexOf(state),
      ...(about.tab === 'signals' ? {} : { color: COLOURS[state] }),
      comment: '',
      enabled: true,
      metadata: [
        { name: 'state', value: state },
        { name: 'rules', value: `${total}, on ${active}, blind ${blind}` },
        { name: 'signals', value: String(signal_count) },
      ],
      links: [],
      showSubtechniques: has_subs,
    })),
    gradient:
      about.tab === 'signals'
        ? { colors: ['#ffffff', '#d5036b'], minValue: 0, maxValue: most }
        : { colors: ['#ffffff', '#2b8a4b'], minValue: 0, maxValue: ATTACK_STATES.length - 1 },
    legendItems:
      about.tab === 'signals'
        ? []
        : ATTACK_STATES.filter((state) => COLOURS[state] !== '').map((state) => ({
            label: LEGEND[state],
            color: COLOURS[state],
          })),
    metadata: [],
    links: [],
  };
}

/** Every technique and sub-technique of a matrix, each once. */
function cellsOf(matrix: AttackMatrix) {
  const techniques = matrix.tactics.flatMap((tactic) => tactic.techniques);
  const cells = techniques.flatMap(({ sub, ...cell }) => [
    { ...cell, has_subs: sub.length > 0 },
    ...sub.map((one) => ({ ...one, has_subs: false })),
  ]);
  return [...new Map(cells.map((cell) => [cell.id, cell])).values()];
}
