import type { OutputOf, platformState } from '@tyrian/contract';
import type { Platform } from '../../../platform/platform.ts';

export type PlatformState = OutputOf<typeof platformState>;
type Health = PlatformState['state'];

const DETAILS = { up: '', starting: 'being started', down: 'not available, being started again' } as const;
const WORST: readonly Health[] = ['up', 'starting', 'degraded', 'down'];

/** The worst of several states, read as a whole: something that is down leaves the platform degraded. */
export function overallState(states: readonly Health[]): Health {
  const worst = states.reduce<Health>((a, b) => (WORST.indexOf(b) > WORST.indexOf(a) ? b : a), 'up');
  return worst === 'down' && states.some((state) => state === 'up') ? 'degraded' : worst;
}

/** How engines and roles are; roles that were stopped on purpose are left out. */
export async function readPlatformState(
  platform: Pick<Platform, 'engineHealth' | 'components' | 'version'>,
): Promise<PlatformState> {
  const engines = platform.engineHealth().map((engine) => ({
    kind: 'engine' as const,
    name: engine.name,
    state: engine.state as Health,
    // Why it went down is for the platform's own people, who read it on the components.
    detail: DETAILS[engine.state],
  }));
  const roles = (await platform.components.list())
    .filter((component) => component.state !== 'stopped')
    .map((component) => ({
      kind: 'role' as const,
      name: component.role,
      state: component.state === 'running' ? ('up' as const) : ('down' as const),
      detail: component.state === 'running' ? '' : 'not heard of for a minute',
    }));
  const components = [...engines, ...roles];
  return { state: overallState(components.map((one) => one.state)), version: platform.version, components };
}
