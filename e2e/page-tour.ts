import {
  beginRuleImport,
  createCase,
  type Endpoint,
  listComponents,
  listOrganizations,
  listRules,
  listWorkbooks,
  liveStream,
  login,
  ROUTES,
  type RoleTag,
  type Route,
  saveEnrichment,
  saveOwnRule,
  sendRuleImportPart,
  startRuleImport,
  startRulePreview,
  type UserAccess,
} from '@tyrian/contract';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { callAs, rootSession } from './make-organization.ts';
import { accountOf, type Role, type Visit, visitAs } from './visitor.ts';

// A tour through everything that the table of routes has for a role: each page, and on it every tab, menu and dialog. A
// new page without parameters is on the tour by itself; one with parameters needs an example below.

const TAGS: Readonly<Record<Role, RoleTag>> = {
  'Root administrator': 'root',
  'Root viewer': 'root-viewer',
  'Organization administrator': 'org-admin',
  'Content manager': 'content-manager',
  'Tenant administrator': 'tenant-admin',
  'Security engineer': 'engineer',
  'Security analyst': 'analyst',
  Viewer: 'viewer',
  'No access': 'no-access',
};

export const ROLES = Object.keys(TAGS) as Role[];

/** By route, its path endings with something for each parameter. */
type Examples = Readonly<Record<string, readonly string[]>>;

/** Signs the engineer of the demo in, without a browser. */
async function engineerSession(): Promise<UserAccess> {
  const { address } = inject('journeyServer');
  const { email, password } = accountOf(inject('journeyServer'), 'Security engineer');
  const answer = await fetch(`${address}${login.path}`, {
    method: login.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ emailId: email, password }),
  });
  return ((await answer.json()) as { data: UserAccess }).data;
}

/** What the pages are about: a case, a workbook, a component and so on, of the demo. */
export async function findExamples(): Promise<Examples> {
  const root = await rootSession();
  const { SSID, access } = await engineerSession();
  const clusterId = access[0]?.clusterId ?? '';
  const scope_id = access[0]?.scope_access[0]?.scope_id ?? '';
  const inScope = { scope_id };
  const made = await callAs(SSID, createCase, { clusterId }, {
    ...inScope,
    case_name: 'On the tour',
  } as never);
  const workbooks = await callAs(SSID, listWorkbooks, { clusterId }, inScope as never);
  const components = await callAs(root.SSID, listComponents, {});
  const organizations = await callAs(root.SSID, listOrganizations, {}, {} as never);
  // One that tenant administrators see too, who know it by its kind: the machine is nothing that they learn.
  const component = components.data.find(({ type }) => type === 'adapter');
  const orgId = organizations.data.find(({ name }) => name.startsWith('Halden'))?.orgId ?? '';
  const ofComponent = (area: string, id: string | undefined, ending: string) =>
    `/${area}/components/${component?.type}/${encodeURIComponent(id ?? '')}/${ending}`;
  const ownRuleId = await ownRule(SSID, clusterId, scope_id);
  return {
    cluster: [`/admin/clusters/configure/${clusterId}`],
    componentHealth: [ofComponent('admin', component?.id, 'health')],
    componentConfiguration: [ofComponent('admin', component?.id, 'configure')],
    global: ['/admin/global/signals', '/admin/global/cases'],
    user: [`/admin/user/${root.user_id}`],
    organization: [`/admin/organizations/${orgId}`],
    tenantConfiguration: [`/admin/tenants/configure/${clusterId}`],
    tenant: [`/admin/tenants/${clusterId}`],
    dataModelStream: ['/system/streamfieldaddition/Dns'],
    case: [`/incident/cases/${made.case_id}`],
    extractionRule: ['/system/extraction/new'],
    tenantComponentHealth: [ofComponent('system', component?.kind, 'health')],
    tenantComponentConfiguration: [ofComponent('system', component?.kind, 'configure')],
    home: [`/home/${scope_id}/${clusterId}`],
    agreements: ['/privacy/eula', '/privacy/policy'],
    enrichmentTable: await enrichmentPages(SSID, clusterId, scope_id),
    rule: [`/rules/${await importedRule(SSID, clusterId, scope_id)}`],
    ruleEditor: [`/rules/${ownRuleId}/edit`],
    rulePreview: [`/rules/previews/${await preview(SSID, clusterId, scope_id, ownRuleId)}`],
    workbook: [`/workbook/edit/${workbooks.data[0]?.ID}`, '/workbook/new/blank'],
    upgrade: ['/upgrade/enterprise'],
  };
}

/** Starts a preview of a rule and answers its id. */
async function preview(ssid: string, clusterId: string, scope_id: string, ruleId: string): Promise<string> {
  const input = { scope_id, rule_ids: [ruleId], start: Date.now() - 86_400_000, end: Date.now() };
  return (await callAs(ssid, startRulePreview, { clusterId }, input)).preview_id;
}

/** Uploads a list of threat indicators; answers its page and those of new tables. */
async function enrichmentPages(ssid: string, clusterId: string, scope_id: string): Promise<string[]> {
  const name = `Tour${Date.now()}`;
  const list = { kind: 'indicators', name, format: 'lines', content: ['203.0.113.9\nevil.example'] };
  const { table_id } = await callAs(ssid, saveEnrichment, { clusterId }, { scope_id, ...list } as never);
  const pages = ['assets/new', 'bucket/new', `indicators/${table_id}`];
  return pages.map((page) => `/system/enrichment/${page}`);
}

/** Writes a rule of the tenant's own and answers its id. */
async function ownRule(ssid: string, clusterId: string, scope_id: string): Promise<string> {
  const text = `title: Written on the Tour\nlogsource: {product: linux}\ndetection:\n  s: ['written']\n  condition: s\n`;
  return (await callAs(ssid, saveOwnRule, { clusterId }, { scope_id, text } as never)).rule_id;
}

/** Imports a rule and answers its id once its job has run. */
async function importedRule(ssid: string, clusterId: string, scope_id: string): Promise<string> {
  const text = `title: On the tour\nlogsource: {product: linux}\ndetection:\n  s: ['tour']\n  condition: s\n`;
  const ask = <E extends Endpoint>(endpoint: E, input: object) =>
    callAs(ssid, endpoint, { clusterId }, { scope_id, ...input } as never);
  const { import_id } = await ask(beginRuleImport, { pack: 'Tour' });
  await ask(sendRuleImportPart, { import_id, part: 0, bytes: Buffer.from(text).toString('base64') });
  await ask(startRuleImport, { import_id });
  const find = async () => (await ask(listRules, { text: 'On the tour' })).data[0]?.rule_id;
  await expect.poll(find, { timeout: 60_000, interval: 500 }).toBeDefined();
  return (await find()) ?? '';
}

/** The endings of the pages that a role may open. */
function pagesOf(role: Role, examples: Examples): readonly string[] {
  const open = (ROUTES as readonly Route[]).filter(
    ({ built, tags }) => built && tags !== 'everyone' && tags.includes(TAGS[role]),
  );
  return open.flatMap(({ name, path }) => {
    if (!path.includes(':')) return [path];
    const known = examples[name];
    if (!known) throw new Error(`${path} has parameters: give the tour an example of ${name}`);
    return known;
  });
}

/** Buttons that open something and change nothing. */
const OPENS =
  /^(New |Import rules|Add (user|person|demo)|Connect tenant|Assign|Export$|Edit|Rename|Keyboard shortcuts|Search$|Show plan|Save query|Case notes|Schedule|Remove demo|.*versions)/;

const OVERLAY = '[role=dialog]:visible, [role=menu]:visible, [role=listbox]:visible';

/** A visitor on the tour, who waits until the page has been answered before going on. */
class Tour {
  private readonly visit: Visit;
  private readonly waiting = new Set<unknown>();
  private readonly opened: Set<string>;

  constructor(visit: Visit, opened: Set<string>) {
    this.visit = visit;
    this.opened = opened;
    visit.page.on('request', (request) => {
      // The stream of news stays open.
      if (new URL(request.url()).pathname !== liveStream.path) this.waiting.add(request);
    });
    visit.page.on('requestfinished', (request) => this.waiting.delete(request));
    visit.page.on('requestfailed', (request) => this.waiting.delete(request));
  }

  private get page(): Page {
    return this.visit.page;
  }

  private async settle(): Promise<void> {
    await this.page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    await expect.poll(() => this.waiting.size, { interval: 30, timeout: 20_000 }).toBe(0);
  }

  async show(ending: string): Promise<void> {
    await this.page.evaluate((hash) => {
      for (const heading of document.querySelectorAll('h1, h2')) heading.setAttribute('data-left', '');
      window.location.hash = hash;
    }, `#${ending}`);
    // Two addresses of one page may keep its head.
    const next = this.page.locator('h1:not([data-left]), h2:not([data-left])').first();
    await next.waitFor({ timeout: 1_000 }).catch(() => this.page.getByRole('heading').first().waitFor());
    await this.settle();
    expect(this.page.url(), ending).not.toMatch(/auth\/404|no-access\/auth/);
  }

  /** Every tab of the page, or of the dialog over it. */
  private async openTabs(within = ''): Promise<void> {
    const tabs = this.page.locator(`${within} [role=tab]:visible`);
    for (let at = 0; at < (await tabs.count()); at += 1) {
      await tabs.nth(at).click();
      await this.settle();
    }
  }

  /** Closes what stands over the page. */
  private async close(): Promise<void> {
    const overlay = this.page.locator(OVERLAY);
    for (let times = 0; times < 4 && (await overlay.count()) > 0; times += 1) {
      await this.page.keyboard.press('Escape');
      await overlay
        .first()
        .waitFor({ state: 'hidden', timeout: 1_000 })
        .catch(() => undefined);
    }
  }

  /** Names of the buttons that open a menu, a list or a dialog, as far as no visitor has opened them on this page. */
  private async openers(ending: string): Promise<readonly string[]> {
    const names = await this.page.evaluate((source) => {
      const opens = new RegExp(source);
      const found = [...document.querySelectorAll<HTMLElement>('button, [aria-haspopup]')];
      return found
        .filter(
          (one) => one.offsetParent !== null && !one.matches(':disabled, [type=submit], [role=gridcell] *'),
        )
        .map((one) => ({
          name: (one.getAttribute('aria-label') ?? one.textContent ?? '').trim(),
          opens: one.hasAttribute('aria-haspopup'),
        }))
        .filter((one) => one.name !== '' && (one.opens || opens.test(one.name)))
        .map((one) => one.name);
    }, OPENS.source);
    return [...new Set(names)].filter((name) => !this.opened.has(`${ending} ${name}`));
  }

  private async openAll(ending: string): Promise<void> {
    for (const name of await this.openers(ending)) {
      this.opened.add(`${ending} ${name}`);
      const before = this.page.url();
      const isThere = await this.page.evaluate((wanted) => {
        const named = (one: Element) => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim();
        const button = [...document.querySelectorAll<HTMLElement>('button, [aria-haspopup]')].find(
          (one) => named(one) === wanted && one.offsetParent !== null,
        );
        button?.click();
        return button !== undefined;
      }, name);
      if (!isThere) continue;
      await this.settle();
      await this.openTabs('[role=dialog]');
      await this.close();
      if (this.page.url() !== before) await this.show(ending);
    }
  }

  /** What the first row of a list opens: a drawer with its tabs, or another page. */
  private async openRow(ending: string): Promise<void> {
    const cell = this.page.getByRole('grid').first().getByRole('row').nth(1).getByRole('gridcell').nth(1);
    // Rows of several scopes lead to another scope, with a reload: journeys of their own do that.
    if (ending.startsWith('/admin/global')) return;
    if (this.opened.has(`${ending} row`) || (await cell.count()) === 0) return;
    this.opened.add(`${ending} row`);
    await cell.click();
    await this.settle();
    await this.openTabs();
  }

  async walk(pages: readonly string[]): Promise<void> {
    for (const ending of pages) {
      await this.show(ending);
      await this.openTabs();
      await this.openAll(ending);
      await this.openRow(ending);
    }
  }
}

/** What the browser's log holds after a role has seen everything; `opened` is shared among visitors. */
export async function tourAs(
  role: Role,
  examples: Examples,
  opened: Set<string>,
): Promise<readonly string[]> {
  const visit = await visitAs(role);
  // What stops the tour is a finding of this role; the others go on.
  try {
    await new Tour(visit, opened).walk(pagesOf(role, examples));
  } catch (error) {
    visit.log.push(`stopped at ${visit.page.url()}: ${String(error)}`);
  }
  await visit.close();
  return visit.log.map((line) => `${role}: ${line}`);
}
