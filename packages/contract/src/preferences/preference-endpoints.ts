import { z } from 'zod';
import { boundedRecord } from '../envelope/bounded-record.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema } from '../envelope/list-request.ts';
import { LOCALES } from '../identity/users/access-record.ts';
import { reason } from '../messages/input-messages.ts';

// What the server keeps of how somebody likes the console. Everybody reads and changes their own, nobody another's.

export const THEMES = ['dark', 'light'] as const;
export const DENSITIES = ['compact', 'normal', 'comfortable'] as const;
/** The pages that analysts and engineers may be led to after sign-in; `home` is what the specification says. */
export const START_PAGES = ['home', 'dashboards', 'find', 'cases', 'signals', 'workbooks'] as const;
export type StartPage = (typeof START_PAGES)[number];

/** A zone that this runtime knows, or `local` for the zone of the machine in front of the user. */
function isZone(zone: string): boolean {
  if (zone === 'local') return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

const columnId = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\w-]+$/);

/** How a list is laid out: widths in px, columns shown or hidden against what they are at first, their order. */
export const tableLayoutSchema = z.object({
  widths: boundedRecord(columnId, z.number().min(16).max(4000), 200).default({}),
  visible: boundedRecord(columnId, z.boolean(), 200).default({}),
  order: z.array(columnId).max(200).default([]),
});
export type TableLayout = z.output<typeof tableLayoutSchema>;

const tableName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\w.-]+$/);

export const preferencesSchema = z.object({
  locale: z.enum(LOCALES).optional(),
  theme: z.enum(THEMES).optional(),
  time_zone: z
    .string()
    .max(64)
    .refine(isZone, { message: reason('timeZone') })
    .optional(),
  density: z.enum(DENSITIES).optional(),
  start_page: z.enum(START_PAGES).optional(),
  /** Single-key shortcuts can be switched off. */
  shortcuts: z.boolean().optional(),
  /** By list. */
  tables: boundedRecord(tableName, tableLayoutSchema, 100).optional(),
});
export type Preferences = z.output<typeof preferencesSchema>;

export const readPreferences = endpoint({
  name: 'preferences.read',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/users/preferences',
  summary: 'How the caller likes the console: language, theme, time zone, density, lists.',
  input: z.object({}),
  output: preferencesSchema,
  access: { kind: 'session' },
});

export const savePreferences = endpoint({
  name: 'preferences.save',
  audit: 'change',
  method: 'PUT',
  path: '/lc/users/preferences',
  summary: 'Changes the preferences that are named; of the lists, those that are named.',
  input: preferencesSchema,
  output: preferencesSchema,
  access: { kind: 'session' },
});

export const savedViewSchema = z.object({
  view_id: idSchema,
  page: tableName,
  name: z.string(),
  query: z.string(),
  created: epochMs,
});
export type SavedView = z.output<typeof savedViewSchema>;

/** `clusterId` is absent for lists of the platform. */
const viewRoute = { clusterId: idSchema.optional(), page: tableName };

export const listSavedViews = endpoint({
  name: 'savedViews.list',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/users/views/list',
  summary: 'The filters that the caller keeps for a list, by name.',
  input: z.object(viewRoute),
  output: z.array(savedViewSchema),
  access: { kind: 'session' },
});

export const saveView = endpoint({
  name: 'savedViews.save',
  audit: 'change',
  method: 'POST',
  path: '/lc/users/views/save',
  summary: 'Keeps the filters of a list under a name; the same name again replaces them.',
  input: z.object({
    ...viewRoute,
    name: z.string().trim().min(1).max(80),
    query: z.string().max(4000),
  }),
  output: savedViewSchema,
  access: { kind: 'session' },
});

export const deleteSavedView = endpoint({
  name: 'savedViews.delete',
  audit: 'change',
  method: 'POST',
  path: '/lc/users/views/delete',
  summary: 'Forgets filters that the caller keeps.',
  input: z.object({ view_id: idSchema }),
  output: z.object({ view_id: idSchema }),
  access: { kind: 'session' },
});

export const PREFERENCE_ENDPOINTS = [
  readPreferences,
  savePreferences,
  listSavedViews,
  saveView,
  deleteSavedView,
] as const;
