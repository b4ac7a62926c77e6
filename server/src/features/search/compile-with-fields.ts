import type { PluginSchema, QueryReach, SavedFunction } from '@tyrian/kql';
import type { Clock } from '../../platform/clock.ts';
import type { CompileTurn } from './compile-turns.ts';
import type { CompileResult, KqlCompiler } from './kql-compiler.ts';
import { NOTHING_ADDED, type QueryCatalog } from './named-catalog.ts';
import type { SeenFields } from './seen-fields.ts';

// A text is compiled with the fields that are known now, without waiting for the sample of a tenant that was never
// looked at. Only when something in the text is remarked on is the sample waited for: with it the name may be known.

interface CompiledText {
  readonly clusterId: string;
  readonly scopes: readonly string[];
  readonly kql: string;
  readonly unknownColumns?: 'warn' | 'error';
  readonly several?: boolean;
  readonly reach?: QueryReach;
  readonly turn?: CompileTurn;
  /** Compile with the columns of every tenant alone; a name that only this tenant's fields explain is remarked on. */
  readonly knowsNoFields?: boolean;
}

const NO_FIELDS = { version: '', fields: [], extFields: [] } as const;

export type CompileText = (
  text: CompiledText,
  pluginSchemas: readonly PluginSchema[],
) => Promise<CompileResult>;

/** The functions that the queries of a tenant may name. */
export interface QueryFunctions {
  functionsOf(clusterId: string): Promise<{
    /** Equal versions mean equal functions; '' when there are none. */
    readonly version: string;
    readonly functions: readonly SavedFunction[];
  }>;
}

const NAMES_SCOPE = /\b(?:workspace|app|cluster|database)\s*\(/;

export function compileWithFields(deps: {
  readonly compiler: Pick<KqlCompiler, 'compile'>;
  readonly seenFields: SeenFields;
  readonly functions?: QueryFunctions | undefined;
  readonly catalog?: QueryCatalog | undefined;
  readonly clock: Clock;
}): CompileText {
  const { compiler, seenFields, functions, catalog, clock } = deps;
  return async (text, pluginSchemas) => {
    const { clusterId, scopes, kql, unknownColumns, several = false, reach, turn } = text;
    const nowMs = clock.now();
    const saved = await functions?.functionsOf(clusterId);
    const further = reach && NAMES_SCOPE.test(kql) ? reach.scopes.map(({ id }) => id) : [];
    const added = text.knowsNoFields
      ? NOTHING_ADDED
      : ((await catalog?.catalogOf(clusterId, scopes, further)) ?? NOTHING_ADDED);
    const compile = ({ version, extFields }: Awaited<ReturnType<SeenFields['fieldsOf']>>) =>
      compiler.compile(kql, {
        schemaVersion: `${version} ${saved?.version ?? ''} ${added.version}`,
        catalog: added.catalog,
        extFields,
        functions: saved?.functions ?? [],
        nowMs,
        pluginSchemas,
        several,
        ...(turn ? { turn } : {}),
        ...(unknownColumns ? { unknownColumns } : {}),
        ...(reach ? { reach } : {}),
      });
    if (text.knowsNoFields) return compile(NO_FIELDS);
    const known = await seenFields.fieldsOf(clusterId, scopes, turn?.lane === 'detections');
    const result = await compile(known);
    if (result.diagnostics.length === 0) return result;
    const sampled = await seenFields.sampledFieldsOf(clusterId, scopes);
    return sampled.version === known.version ? result : compile(sampled);
  };
}
