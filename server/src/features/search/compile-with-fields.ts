import type { PluginSchema } from '@tyrian/kql';
import type { Clock } from '../../platform/clock.ts';
import type { CompileResult, KqlCompiler } from './kql-compiler.ts';
import type { SeenFields } from './seen-fields.ts';

// A text is compiled with the fields that are known now, without waiting for the sample of a tenant that was never
// looked at. Only when something in the text is remarked on is the sample waited for: with it the name may be known.

interface CompiledText {
  readonly clusterId: string;
  readonly scopes: readonly string[];
  readonly kql: string;
  readonly unknownColumns?: 'warn' | 'error';
}

export type CompileText = (
  text: CompiledText,
  pluginSchemas: readonly PluginSchema[],
) => Promise<CompileResult>;

export function compileWithFields(deps: {
  readonly compiler: KqlCompiler;
  readonly seenFields: SeenFields;
  readonly clock: Clock;
}): CompileText {
  const { compiler, seenFields, clock } = deps;
  return async ({ clusterId, scopes, kql, unknownColumns }, pluginSchemas) => {
    const nowMs = clock.now();
    const compile = ({ version, extFields }: Awaited<ReturnType<SeenFields['fieldsOf']>>) =>
      compiler.compile(kql, {
        schemaVersion: version,
        extFields,
        nowMs,
        pluginSchemas,
        ...(unknownColumns ? { unknownColumns } : {}),
      });
    const known = await seenFields.fieldsOf(clusterId, scopes);
    const result = await compile(known);
    if (result.diagnostics.length === 0) return result;
    const sampled = await seenFields.sampledFieldsOf(clusterId, scopes);
    return sampled.version === known.version ? result : compile(sampled);
  };
}
