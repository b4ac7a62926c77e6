import { ROUTES, type Route } from '@tyrian/contract';
import i18next from 'i18next';
import { createHashRouter, type LoaderFunctionArgs, type RouteObject, redirect, replace } from 'react-router';
import { switchScope } from '../features/identity/sign-in/switch-scope.ts';
import { isReturnable, rootTarget } from '../lib/landing.ts';
import { notify } from '../lib/notify.ts';
import { pathsOf } from '../lib/route-of-path.ts';
import { readSession } from '../lib/session-store.ts';
import { writeStored } from '../lib/storage.ts';
import { ConsoleShell } from './console-shell.tsx';
import { guardRoute } from './guard-route.ts';
import { loadScreen, screenOf } from './load-screen.ts';
import { offerReload, ScreenGoneError } from './new-build.tsx';
import { PageError } from './page-error.tsx';
import { RouteLoading } from './route-loading.tsx';
import { SCREENS } from './screens.ts';

// The routes of the contract become a hash router: each in the forms that its prefix allows (both ids are
// optional), guarded before it loads, with an error boundary of its own.

const BARE = '/auth/';

let current: ReturnType<typeof createHashRouter> | null = null;

/** The router of the console. */
export function createConsoleRouter() {
  current = createHashRouter(consoleRoutes());
  return current;
}

type LoadScreen = (routeName: string) => Promise<void>;

/** Every address of the console, each with its guard. */
export function consoleRoutes(load: LoadScreen = loadScreen): RouteObject[] {
  const objectsOf = (route: Route) => routeObjects(route, load);
  const bare = ROUTES.filter((route) => route.path.startsWith(BARE) && route.prefix === 'none');
  const framed = ROUTES.filter((route) => !bare.some((one) => one.name === route.name));
  return [
    {
      ErrorBoundary: PageError,
      HydrateFallback: RouteLoading,
      children: [
        { path: '/', loader: openRoot, Component: Nothing },
        ...bare.flatMap(objectsOf),
        { Component: ConsoleShell, children: framed.flatMap(objectsOf) },
        { path: '*', loader: openUnknown, Component: Nothing },
      ],
    },
  ];
}

function routeObjects(route: Route, load: LoadScreen): RouteObject[] {
  const screen = SCREENS[route.name];
  return pathsOf(route).map((path) => ({
    id: `${route.name} ${path}`,
    path,
    loader: async (args: LoaderFunctionArgs) =>
      (await openRoute(route, args)) ?? openScreen(route, args, load),
    ErrorBoundary: PageError,
    Component: screen ? screenOf(route.name) : undefined,
  }));
}

async function openRoute(route: Route, { params, request }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  const hasScreen = SCREENS[route.name] !== undefined;
  const ending = fillPath(route.path, params);
  const decision = guardRoute({ route, params, ending, search: url.search, hasScreen }, readSession());
  switch (decision.kind) {
    case 'open':
      return null;
    case 'sign-in':
      return toSignIn(url.pathname + url.search);
    case 'agree':
      writeStored('acceptPath', url.pathname + url.search);
      return redirect(decision.to);
    case 'switch':
      await switchScope(decision.selection, url.pathname + url.search);
      return null;
    case 'redirect':
      if (decision.refused) notify('failed', i18next.t('app:noRights'));
      return redirect(decision.to);
  }
}

/** The screen before the page changes; without it the page stays, and the user is offered to load anew. */
async function openScreen(route: Route, { request }: LoaderFunctionArgs, load: LoadScreen) {
  try {
    await load(route.name);
    return null;
  } catch (error) {
    const url = new URL(request.url);
    const path = url.pathname + url.search;
    const here = current?.state.initialized ? current.state.location : null;
    if (!here || here.pathname === url.pathname) throw new ScreenGoneError(path, { cause: error });
    offerReload(path);
    return replace(here.pathname + here.search);
  }
}

function openRoot() {
  const session = readSession();
  return session ? redirect(rootTarget(session)) : redirect('/auth/login');
}

function openUnknown({ request }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  return readSession() ? redirect('/auth/404') : toSignIn(url.pathname + url.search);
}

function toSignIn(path: string) {
  if (isReturnable(path)) writeStored('historyUrl', path);
  return redirect('/auth/login');
}

function fillPath(path: string, params: Readonly<Record<string, string | undefined>>): string {
  return path.replace(/:([A-Za-z_]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** For routes that always lead on. */
function Nothing() {
  return null;
}
