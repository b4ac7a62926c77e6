import type { EngineHealth } from './platform/http/health-route.ts';

const NAMES: Readonly<Record<EngineHealth['name'], string>> = {
  postgres: 'PostgreSQL (records)',
  clickhouse: 'ClickHouse (events)',
};

/** Why calls cannot be served right now, in words for the caller; null when they can. */
export function whyUnavailable(engines: readonly EngineHealth[]): string | null {
  const down = engines.filter((engine) => engine.state !== 'up').map((engine) => NAMES[engine.name]);
  if (down.length === 0) return null;
  return `${down.join(' and ')} ${down.length > 1 ? 'are' : 'is'} not available right now and being started again; try again in a few seconds`;
}
