import { isPackRuleId } from '@tyrian/contract';
import { scopePath } from '../../lib/scope-path.ts';
import { useScope } from '../../lib/session-store.ts';

/** Where the page of ATT&CK leads to. */
export function useAttackPaths() {
  const scope = useScope();
  return {
    /** The page of a workbook, or of a rule of a pack. */
    rule: (id: string): string =>
      scopePath(scope, `${isPackRuleId(id) ? '/rules' : '/workbook/edit'}/${encodeURIComponent(id)}`),
    /** Signals of a technique, of the last days; those of sub-techniques belong to it. */
    signals: (technique: string, days: number): string => {
      const query = new URLSearchParams({ view: 'all', from: `now-${days}d`, to: 'now' });
      query.set('technique', technique);
      return scopePath(scope, `/incident/signals?${query.toString()}`);
    },
    /** The matrix with a technique opened. */
    technique: (id: string): string => scopePath(scope, `/mitre_attack?technique=${id}`),
    /** The matrix beside a group or campaign. */
    actor: (id: string): string => scopePath(scope, `/mitre_attack?against=actor:${id}`),
  };
}
