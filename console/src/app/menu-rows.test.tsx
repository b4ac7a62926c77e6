import { cleanup, screen, within } from '@testing-library/react';
import { MENU, type MenuEntry, menuFor, ROLE_TAGS } from '@tyrian/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { clearStored } from '../lib/storage.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { sampleAccess } from '../testing/sample-session.ts';
import { LeftMenu } from './left-menu.tsx';
import texts from './locales/app.en-US.json' with { type: 'json' };

afterEach(() => {
  cleanup();
  clearStored();
});

const titles: Readonly<Record<string, unknown>> = texts.menu;

// Section 2, "Left menu": every row with its title and the ending of its path.
const ROWS: readonly (readonly [string, string, string, 'main' | 'system' | 'administration'])[] = [
  ['[S2-82] dashboards', 'Dashboards', '/dashboard', 'main'],
  ['[S2-83] find', 'Find', '/workbook/new', 'main'],
  ['[S2-84] cases', 'Cases', '/incident/cases', 'main'],
  ['[S2-85] signals', 'Signals', '/incident/signals', 'main'],
  ['[S2-86] workbooks', 'Workbooks', '/workbook', 'main'],
  ['[T-rules] rules, of our own', 'Rules', '/rules', 'main'],
  ['[T-RULE-HEALTH] rule health, of our own', 'Rule health', '/rules/health', 'main'],
  ['[S2-87] reports', 'Reports', '/reports', 'main'],
  ['[S2-88] ATT&CK', 'MITRE ATT&CK', '/mitre_attack', 'main'],
  ['[S2-89] streams', 'Streams', '/stream/list', 'main'],
  ['[S2-90] EBA', 'EBA', '/eba', 'main'],
  ['[S2-93] utilization', 'Utilization', '/system/utilization', 'system'],
  ['[S2-94] collection status', 'Collection status', '/system/collection_status', 'system'],
  ['[S2-95] enrichment', 'Enrichment', '/system/enrichment', 'system'],
  ['[S2-96] eventstores', 'Eventstores', '/system/eventstores', 'system'],
  ['[S2-97] extraction', 'Extraction', '/system/extraction', 'system'],
  ['[S2-98] geo enrichment', 'Geo enrichment', '/system/geodb', 'system'],
  ['[S2-99] automation', 'Automation', '/system/integrations', 'system'],
  ['[S2-100] signal suppression', 'Signal suppression rules', '/system/signalsuppression', 'system'],
  ['[S2-32] signal runs, of our own', 'Signal runs', '/jobs/signals', 'system'],
  ['[S2-31] scheduled jobs, of our own', 'Scheduled jobs', '/jobs/scheduled', 'system'],
  ['[S2-101] slow queries', 'Slow queries', '/system/slow-queries', 'system'],
  ['[S2-102] tokens', 'Manage tokens', '/system/token', 'system'],
  ['[S2-103] machine learning', 'Machine learning', '/system/models', 'system'],
  ['[S2-104] administration', 'Administration', '/system/components', 'system'],
  ['[S2-105] data sources', 'Data sources', '/system/connectors', 'system'],
  ['[S2-106] tenants', 'Tenants', '/admin/tenants/list', 'system'],
  ['[S2-107] organizations', 'Organizations', '/admin/organizations/list', 'system'],
  ['[S2-108] data model', 'Data model', '/system/streamfieldaddition', 'system'],
  ['[S2-110] SMTP', 'Configure SMTP', '/admin/smtp', 'administration'],
  ['[S2-111] mission control', 'Mission control', '/admin/clusters', 'administration'],
  ['[S2-112] components', 'Manage components', '/admin/components', 'administration'],
  ['[S2-113] switchboard', 'Switchboard', '/admin/switchboard', 'administration'],
  ['[T-jobs] jobs, of our own', 'Jobs', '/admin/jobs', 'administration'],
];

/** Entries of our own that are called otherwise than what we promised ourselves. */
const OWN: Readonly<Record<string, string>> = {
  ruleHealth: 'T-RULE-HEALTH',
  signalJobs: 'S2-32',
  scheduledJobs: 'S2-31',
};

/** A row names the requirement of its entry, or what we promised ourselves. */
const isOfRow = ({ requirement, name }: MenuEntry, row: string) =>
  row.startsWith(`[${requirement ?? OWN[name] ?? `T-${name}`}]`);

describe('the rows of the left menu', () => {
  it.each(ROWS)('%s is titled %s and leads to %s in the group %s', (row, title, path, group) => {
    const entry = MENU.find((candidate) => isOfRow(candidate, row));
    expect(entry?.route.path).toBe(path);
    expect(entry?.group).toBe(group);
    expect(titles[entry?.name ?? '']).toBe(title);
    const isShown = menuFor(ROLE_TAGS).some((candidate) => isOfRow(candidate, row));
    expect(isShown, 'shown once its screen stands').toBe(entry?.route.built);
  });

  it('[S2-92][S2-109] has the sub-menus System and Administration', () => {
    expect(texts.menu.group).toEqual({ system: 'System', administration: 'Administration' });
    expect(MENU.length).toBe(ROWS.length);
    for (const [at, entry] of MENU.entries())
      expect(isOfRow(entry, ROWS[at]?.[0] ?? ''), entry.name).toBe(true);
  });

  it('[S2-91] has no entry Home in this variant: the logo leads there', async () => {
    expect(MENU.some((entry) => entry.route.path.startsWith('/home'))).toBe(false);
    await renderScreen(<LeftMenu mode="full" isOpen onClose={() => undefined} />, {
      access: sampleAccess({ role: 'Security Engineer' }),
      url: '/c1/s1/home/s1/c1',
    });
    expect(within(screen.getByRole('navigation')).queryByRole('link', { name: 'Home' })).toBeNull();
  });
});
