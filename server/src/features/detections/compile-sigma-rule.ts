import { setImmediate as breathe } from 'node:timers/promises';
import { filtersTime } from '@tyrian/kql';
import { judgeSigma, kqlOf, readSigma, sigmaLibrary } from '@tyrian/sigma';
import type { Compiled } from '../search/query-service.ts';
import type { Detection } from './rule-definition.ts';

/**
 * The plan of a rule straight from its Sigma text, which takes a millisecond or two where reading its query takes some
 * twenty to forty: thousands of rules that are switched on, or that a worker meets for the first time, run within
 * seconds. Null where the query says more than the text: a scope excepts or counts something, a filter of the pack
 * holds, it is a correlation. A rule and its query compile to the same plan (sigma-as-kql.test.ts) as long as no field of
 * a tenant is known to have a type.
 */
export async function compileSigmaRule({ kql, sigma }: Detection): Promise<Compiled | null> {
  if (!sigma) return null;
  // Thousands may come at once.
  await breathe();
  const read = readSigma(sigma.text)[sigma.position];
  if (!read) return null;
  const verdict = judgeSigma(read, sigmaLibrary([read]), {});
  const compiled = verdict.verdict === 'runs' ? verdict.compiled : null;
  if (!compiled || !('mapping' in compiled) || kqlOf(compiled) !== kql.body.query) return null;
  const { plan } = compiled;
  const columns = plan.columns.map(({ name, type }) => ({ name, type }));
  return {
    ok: true,
    plan,
    columns,
    diagnostics: [],
    filtersTime: filtersTime(plan),
    questions: [],
    tables: [],
  };
}
