import type {
  CaseEntity,
  CaseGraph,
  CaseSignal,
  caseFigures,
  EntityRole,
  OutputOf,
  Signal,
} from '@tyrian/contract';
import type { CaseTables } from './case-tables.ts';

// What the signals of a case add up to: entities with their roles, the graph, the figures. Pure.

type CaseFigures = OutputOf<typeof caseFigures>;
type AddedEntity = Pick<CaseTables['case_entity'], 'type' | 'value' | 'role' | 'added_at'>;

const keyOf = (entity: { readonly type: string; readonly value: string }) =>
  JSON.stringify([entity.type, entity.value]);

function joined(a: EntityRole | undefined, b: EntityRole): EntityRole {
  return a === undefined || a === b ? b : 'both';
}

/** Suspects and targets of the signals joined with what was added by hand; highest risk first. */
export function caseEntities(signals: readonly Signal[], added: readonly AddedEntity[]): CaseEntity[] {
  const found = new Map<string, CaseEntity>();
  for (const signal of signals) {
    const seen = new Set<string>();
    for (const role of ['suspect', 'target'] as const) {
      for (const party of role === 'suspect' ? signal.suspects : signal.targets) {
        const key = keyOf(party);
        const known = found.get(key);
        const isNew = !seen.has(key);
        seen.add(key);
        found.set(key, {
          type: party.type,
          value: party.value,
          role: joined(known?.role, role),
          // A signal counts once, even when it names the entity as suspect and as target.
          risk_score: (known?.risk_score ?? 0) + (isNew ? signal.score : 0),
          signal_ids: isNew ? [...(known?.signal_ids ?? []), signal.signal_id] : (known?.signal_ids ?? []),
          first_seen: Math.min(known?.first_seen ?? signal.first_time, signal.first_time),
          last_seen: Math.max(known?.last_seen ?? signal.last_time, signal.last_time),
          added: false,
        });
      }
    }
  }
  for (const one of added) {
    const known = found.get(keyOf(one));
    found.set(keyOf(one), {
      type: one.type,
      value: one.value,
      role: joined(known?.role, one.role),
      risk_score: known?.risk_score ?? 0,
      signal_ids: known?.signal_ids ?? [],
      first_seen: known?.first_seen ?? one.added_at,
      last_seen: known?.last_seen ?? one.added_at,
      added: true,
    });
  }
  return [...found.values()].sort((a, b) => b.risk_score - a.risk_score || (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Signals and entities as a graph. An entity added by hand stands alone. */
export function buildCaseGraph(signals: readonly Signal[], entities: readonly CaseEntity[]): CaseGraph {
  const entityId = (party: { readonly type: string; readonly value: string }) => `entity:${keyOf(party)}`;
  return {
    nodes: [
      ...signals.map((signal) => ({
        id: `signal:${signal.signal_id}`,
        kind: 'signal' as const,
        type: signal.tactic,
        label: signal.name,
        role: 'signal' as const,
        score: signal.score,
      })),
      ...entities.map((entity) => ({
        id: entityId(entity),
        kind: 'entity' as const,
        type: entity.type,
        label: entity.value,
        role: entity.role,
        score: entity.risk_score,
      })),
    ],
    edges: signals.flatMap((signal) =>
      (['suspect', 'target'] as const).flatMap((role) => {
        const parties = role === 'suspect' ? signal.suspects : signal.targets;
        return [...new Set(parties.map(entityId))].map((to) => ({
          from: `signal:${signal.signal_id}`,
          to,
          role,
          signal_id: signal.signal_id,
        }));
      }),
    ),
  };
}

function tally(names: readonly string[]): { name: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

/** The figures of one case. */
export function figuresOf(signals: readonly Signal[], entities: readonly CaseEntity[]): CaseFigures {
  const withRole = (role: EntityRole) => entities.filter((entity) => entity.role === role).length;
  const times = signals.flatMap((signal) => [signal.first_time, signal.last_time]);
  return {
    signal_count: signals.length,
    risk_score: signals.reduce((sum, signal) => sum + signal.score, 0),
    suspects: withRole('suspect'),
    targets: withRole('target'),
    compromised: withRole('both'),
    tactics: tally(signals.map((signal) => signal.tactic)),
    techniques: tally(signals.map((signal) => signal.technique)),
    entity_types: tally(entities.map((entity) => entity.type)),
    first_signal: times.length > 0 ? Math.min(...times) : null,
    last_signal: times.length > 0 ? Math.max(...times) : null,
  };
}

/** A signal as a case lists it. */
export function caseSignal(signal: Signal, link: CaseTables['case_signal']): CaseSignal {
  return {
    signal_id: signal.signal_id,
    name: signal.name,
    workbook_id: signal.workbook_id,
    version: signal.version,
    stream: signal.stream,
    tactic: signal.tactic,
    technique: signal.technique,
    sub_technique: signal.sub_technique,
    score: signal.score,
    confidence: signal.confidence,
    suspects: [...signal.suspects],
    targets: [...signal.targets],
    first_time: signal.first_time,
    last_time: signal.last_time,
    occurrences: signal.occurrences,
    added: link.added_at,
    added_by: link.added_by,
  };
}
