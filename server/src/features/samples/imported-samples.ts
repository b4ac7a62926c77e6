import { type KeptSample, type RuleSample, SAMPLE_LIMITS } from '@tyrian/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { SamplePlace, SampleRunner } from './run-samples.ts';
import {
  contentHash,
  dropSamples,
  keepResults,
  keepSamples,
  type SampleRow,
  type SamplesToKeep,
  samplesOf,
} from './sample-store.ts';

// Samples that come with a pack. What an import brings replaces what an earlier one brought; samples that the tenant has
// added stay. Only rules whose query or samples have changed are run again, and an import without samples runs nothing.

export interface ImportedRule {
  readonly ruleId: string;
  readonly kql: string | null;
  readonly samples: readonly RuleSample[];
}

/** Keeps and runs samples of rules that an import has written; answers how many rules were run. */
export type ImportedSamples = (
  place: SamplePlace,
  author: string,
  rules: readonly ImportedRule[],
  signal: AbortSignal,
) => Promise<number>;

const AT_ONCE = 25;

export function createImportedSamples(deps: {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly run: SampleRunner;
}): ImportedSamples {
  const { postgres, clock, run } = deps;
  return async (place, author, rules, signal) => {
    const { clusterId } = place;
    const ids = rules.map(({ ruleId }) => ruleId);
    const due = await postgres.inTenant(clusterId, async (trx) => {
      const known = await samplesOf(trx, clusterId, ids);
      const merged = rules.flatMap((rule) => merge(rule, known.get(rule.ruleId)) ?? []);
      const gone = merged.filter(({ keep }) => keep.samples.length === 0).map(({ keep }) => keep.ruleId);
      await dropSamples(trx, clusterId, gone);
      const changed = merged.filter(({ keep, isChanged }) => isChanged && keep.samples.length > 0);
      const writer = { clusterId, nowMs: clock.now(), author };
      await keepSamples(
        trx,
        writer,
        changed.map(({ keep }) => keep),
      );
      return merged.filter(
        ({ keep, row }) => keep.samples.length > 0 && row?.tested_hash !== keep.contentHash,
      );
    });
    for (let from = 0; from < due.length; from += AT_ONCE) {
      signal.throwIfAborted();
      const some = due.slice(from, from + AT_ONCE);
      const results = await run(
        place,
        some.map(({ keep, queries }) => ({ queries, samples: keep.samples })),
        signal,
      );
      const tested = some.map(({ keep }, at) => ({ ...keep, results: results[at] ?? [] }));
      await postgres.inTenant(clusterId, (trx) => keepResults(trx, clusterId, clock.now(), tested));
    }
    return due.length;
  };
}

interface Merged {
  readonly keep: SamplesToKeep;
  readonly queries: readonly string[];
  readonly row: SampleRow | undefined;
  readonly isChanged: boolean;
}

/** Null for a rule that has no samples and had none. */
function merge({ ruleId, kql, samples }: ImportedRule, row: SampleRow | undefined): Merged | null {
  if (samples.length === 0 && !row) return null;
  const names = new Set(samples.map(({ name }) => name));
  const ofPack = samples.map(
    (sample): KeptSample => ({ ...sample, events: [...sample.events], origin: 'pack' }),
  );
  const own = (row?.samples ?? []).filter(({ origin, name }) => origin === 'own' && !names.has(name));
  // The tenant's own come first: they must not be lost to a pack that brings many.
  const room = SAMPLE_LIMITS.samples - own.length;
  const kept = [...ofPack.slice(0, Math.max(0, room)), ...own];
  const queries = kql === null ? [] : [kql];
  const hash = contentHash(queries, kept);
  return {
    keep: { ruleId, samples: kept, contentHash: hash },
    queries,
    row,
    isChanged: row?.content_hash !== hash,
  };
}
