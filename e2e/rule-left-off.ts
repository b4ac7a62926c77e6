import { saveOwnRule } from '@tyrian/contract';
import type { Page } from 'playwright-core';
import { callAs } from './make-organization.ts';
import { goTo, scopeOf, sessionOf } from './visitor.ts';

/** Saves a rule of the scope, which stays switched off, as whoever is on the page, and opens `ending`; answers its id. */
export async function leaveRuleOff(page: Page, ending: string, text: string): Promise<string> {
  const ssid = await sessionOf(page, () => goTo(page, ending));
  const { clusterId, scopeId } = scopeOf(page);
  return (await callAs(ssid, saveOwnRule, { clusterId }, { scope_id: scopeId, text })).rule_id;
}
