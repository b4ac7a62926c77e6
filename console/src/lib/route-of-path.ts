import { ROUTES, type Route } from '@tyrian/contract';
import { matchRoutes } from 'react-router';

// The addresses of a route, and the route of an address, with the ranking of the router itself.

/** The paths that lead to a route: with both ids, with the cluster alone, with none. */
export function pathsOf(route: Route): readonly string[] {
  if (route.prefix === 'none') return [route.path];
  const forms = [`/:clusterId${route.path}`, route.path];
  return route.prefix === 'both' ? [`/:clusterId/:scopeId${route.path}`, ...forms] : forms;
}

const PATHS = ROUTES.flatMap((route) => pathsOf(route).map((path) => ({ path, name: route.name })));

/** The name of the route that a path leads to, e.g. `cases` for `/c1/s1/incident/cases?status=all`; null for none. */
export function routeOfPath(path: string): string | null {
  return matchRoutes(PATHS, path.split('?')[0] ?? '')?.at(-1)?.route.name ?? null;
}
