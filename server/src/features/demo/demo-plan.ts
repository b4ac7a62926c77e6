import type { ProductType, ScopeRole, UserType } from '@tyrian/contract';
import type { AttackScenario } from './attack-scenario.ts';
import { cloudKeyScenario } from './cloud-key-scenario.ts';
import { COMPANY } from './demo-company.ts';
import { phishingScenario } from './phishing-scenario.ts';
import { webShellScenario } from './web-shell-scenario.ts';

// What the demo consists of: tenants with their scopes and their share of the events, users, and when which scenario
// happens where.

export interface PlannedScope {
  readonly name: string;
  /** Of all events; the shares of all scopes add up to 1. */
  readonly share: number;
}

export interface PlannedTenant {
  readonly name: string;
  readonly productType: ProductType;
  readonly scopes: readonly PlannedScope[];
}

export const PLANNED_TENANTS: readonly PlannedTenant[] = [
  {
    name: 'Halden & Vane Group',
    productType: 'enterprise',
    scopes: [
      { name: 'Headquarters', share: 0.74 },
      { name: 'Rotterdam Hub', share: 0.09 },
    ],
  },
  {
    name: 'Vane Freight',
    productType: 'professional',
    scopes: [
      { name: 'Operations', share: 0.07 },
      { name: 'Warehouse', share: 0.03 },
    ],
  },
  {
    name: 'Halden Couriers',
    productType: 'essential',
    scopes: [
      { name: 'Dispatch', share: 0.05 },
      { name: 'Depot', share: 0.02 },
    ],
  },
];

export interface PlannedUser {
  readonly role: string;
  readonly name: string;
  readonly email: string;
  readonly userType: UserType;
  readonly rootViewer?: boolean;
  /** Access to every tenant of the demo; none when absent. */
  readonly access?: {
    readonly type: 'Administrator' | 'Custom' | 'No Access';
    readonly role: ScopeRole | null;
  };
}

const email = (account: string): string => `${account}@${COMPANY.mailDomain}`;
const custom = (role: ScopeRole) => ({ type: 'Custom', role }) as const;

/** One user for every role; the first administrator of the platform is there already. */
export const PLANNED_USERS: readonly PlannedUser[] = [
  {
    role: 'Root viewer',
    name: 'Ruth Vieira',
    email: email('root.viewer'),
    userType: 'root',
    rootViewer: true,
    access: custom('Viewer'),
  },
  {
    role: 'Organization administrator',
    name: 'Otis Adeyemi',
    email: email('org.admin'),
    userType: 'org_admin',
  },
  {
    role: 'Content manager',
    name: 'Cora Mendez',
    email: email('content.manager'),
    userType: 'content_manager',
    access: custom('Security Engineer'),
  },
  {
    role: 'Tenant administrator',
    name: 'Tova Lindahl',
    email: email('tenant.admin'),
    userType: 'general',
    access: { type: 'Administrator', role: 'Viewer' },
  },
  {
    role: 'Security engineer',
    name: 'Enzo Bianchi',
    email: email('engineer'),
    userType: 'general',
    access: custom('Security Engineer'),
  },
  {
    role: 'Security analyst',
    name: 'Ana Sokolova',
    email: email('analyst'),
    userType: 'general',
    access: custom('Security Analyst'),
  },
  {
    role: 'Viewer',
    name: 'Vikram Das',
    email: email('viewer'),
    userType: 'general',
    access: custom('Viewer'),
  },
  {
    role: 'No access',
    name: 'Nils Aaker',
    email: email('no.access'),
    userType: 'general',
    access: { type: 'No Access', role: null },
  },
];

export const SCENARIOS: readonly AttackScenario[] = [phishingScenario, webShellScenario, cloudKeyScenario];

export interface PlannedScenario {
  readonly scenario: AttackScenario;
  /** Positions in PLANNED_TENANTS and its scopes. */
  readonly tenant: number;
  readonly scope: number;
  /** How long before the making of the demo it began. */
  readonly minutesAgo: number;
}

/** The scenarios of the past day. */
export const PAST_SCENARIOS: readonly PlannedScenario[] = [
  { scenario: phishingScenario, tenant: 0, scope: 0, minutesAgo: 95 },
  { scenario: webShellScenario, tenant: 0, scope: 0, minutesAgo: 50 },
  { scenario: cloudKeyScenario, tenant: 0, scope: 0, minutesAgo: 170 },
  { scenario: phishingScenario, tenant: 0, scope: 0, minutesAgo: 1240 },
  { scenario: cloudKeyScenario, tenant: 0, scope: 1, minutesAgo: 400 },
  { scenario: webShellScenario, tenant: 1, scope: 0, minutesAgo: 130 },
  { scenario: phishingScenario, tenant: 2, scope: 0, minutesAgo: 210 },
];

export const HISTORY_MS = 24 * 3_600_000;
/** Pieces in which the past day is written, newest first. */
export const HISTORY_STEPS = 12;
/** Ordinary events per second of all scopes together at average activity. */
export const LIVE_EVENTS_PER_SECOND = 6;
/** Time from the start of one live scenario to the next. */
export const STORY_EVERY_MS = 30 * 60_000;
