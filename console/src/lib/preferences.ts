import { type Preferences, readPreferences, savePreferences, type TableLayout } from '@tyrian/contract';
import { call } from './call.ts';
import { notifyFailure } from './notify.ts';
import { readSession } from './session-store.ts';
import { changeSettings, type Settings } from './settings.ts';
import { readStored, writeStored } from './storage.ts';

// Language, theme, zone, density, start page and the layout of lists follow their user: what is changed here is kept on the
// server, and read back at sign-in. The menu stays a matter of this browser, whose width it depends on.

type Kept = Partial<Pick<Settings, 'locale' | 'theme' | 'timeZone' | 'density' | 'startPage' | 'shortcuts'>>;

/** Dragging a column changes its width many times; what comes of it is sent once. */
const SAVE_AFTER_MS = 500;
let waiting: Preferences = {};
let timer: ReturnType<typeof setTimeout> | undefined;

/** Changes settings here and on the server. */
export function changePreferences(change: Kept): void {
  changeSettings(change);
  const { timeZone, startPage, ...same } = change;
  enqueue({
    ...same,
    ...(timeZone ? { time_zone: timeZone } : {}),
    ...(startPage ? { start_page: startPage } : {}),
  });
}

/** The layout of a list as it was left, here or in another browser. */
export function readTableLayout(name: string): TableLayout | undefined {
  const stored = readStored<Partial<TableLayout>>(`prefs.table.${name}`);
  return stored && { widths: {}, visible: {}, order: [], ...stored };
}

export function keepTableLayout(name: string, layout: TableLayout): void {
  writeStored(`prefs.table.${name}`, layout);
  enqueue({ tables: { [name]: layout } });
}

/** Takes over what the server keeps of the signed-in user; without an answer everything stays as it is. */
export async function loadPreferences(): Promise<void> {
  const kept = await call(readPreferences, { input: {}, sessionFlow: true }).catch(() => null);
  if (!kept) return;
  const { time_zone, start_page, tables, ...same } = kept;
  changeSettings({
    ...same,
    ...(time_zone ? { timeZone: time_zone } : {}),
    ...(start_page ? { startPage: start_page } : {}),
  });
  for (const [name, layout] of Object.entries(tables ?? {})) writeStored(`prefs.table.${name}`, layout);
}

function enqueue(change: Preferences): void {
  if (!readSession()) return;
  const tables = { ...waiting.tables, ...change.tables };
  waiting = { ...waiting, ...change, ...(Object.keys(tables).length > 0 ? { tables } : {}) };
  clearTimeout(timer);
  timer = setTimeout(send, SAVE_AFTER_MS);
}

/** Sends what waits, now: before the session ends. */
export async function flushPreferences(): Promise<void> {
  clearTimeout(timer);
  await send();
}

async function send(): Promise<void> {
  const input = waiting;
  waiting = {};
  if (Object.keys(input).length === 0 || !readSession()) return;
  await call(savePreferences, { input }).catch(notifyFailure);
}
