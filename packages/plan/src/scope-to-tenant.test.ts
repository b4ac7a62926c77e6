import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Plan, PlanNode, Scan, ScanBoundary } from './plan-node.ts';
import { call, constant } from './scalar.ts';
import {
  passesFor,
  type ScopedPlan,
  scopesRead,
  scopeToTenant,
  type TenantBoundary,
} from './scope-to-tenant.ts';
import { planOf, SAMPLE_PLANS } from './testing/sample-plans.ts';
import { validatePlan } from './validate-plan.ts';
import { rewritePlan, visitPlan } from './walk-plan.ts';

const OWN: TenantBoundary = {
  database: 'tenant_a',
  scopes: ['main', 'lab'],
  reach: ['far'],
  timeRange: { from: 1000, to: 2000 },
  ingestRange: { from: 3000, to: 4000 },
  maxRows: 50,
};

const TIED: ScanBoundary = {
  database: 'tenant_a',
  scopes: ['main', 'lab'],
  timeRange: { from: 1000, to: 2000 },
  ingestRange: { from: 3000, to: 4000 },
};

function scansOf(root: PlanNode): readonly Scan[] {
  const found: Scan[] = [];
  visitPlan(root, (node) => {
    if (node.kind === 'scan') found.push(node);
  });
  return found;
}

const every = [...SAMPLE_PLANS].map(([name, plan]) => ({ name, plan }));
const passes = passesFor(OWN);

describe('the one way to something that can be run', () => {
  it.each(every)('ties every scan of a plan with $name to the tenant, in expressions too', ({ plan }) => {
    const scoped = scopeToTenant(plan, OWN);
    expect(scansOf(scoped.root)).toHaveLength(scansOf(plan.root).length);
    for (const { boundary } of scansOf(scoped.root)) expect(boundary).toEqual(TIED);
    expect(validatePlan(scoped)).toEqual([]);
  });

  it('overwrites a boundary that a plan brings along', () => {
    const foreign: ScanBoundary = { database: 'tenant_b', scopes: ['secret'] };
    const root = rewritePlan(SAMPLE_PLANS.get('a set from a table')?.root as PlanNode, (node) =>
      node.kind === 'scan' ? { ...node, boundary: foreign } : node,
    );
    const scans = scansOf(scopeToTenant(planOf(root, 10), OWN).root);
    expect(scans.map(({ boundary }) => boundary)).toEqual([TIED]);
  });

  it.each([
    ['main', ['main']],
    ['far', ['far']],
    ['secret', []],
    ['', []],
  ])('reads of a scan that names the scope %j only %j', (scope, scopes) => {
    const scan = { ...(SAMPLE_PLANS.get('scan')?.root as Scan), scope };
    const scoped = scopeToTenant(planOf(scan), OWN);
    expect(scansOf(scoped.root).map(({ boundary }) => boundary?.scopes)).toEqual([scopes]);
    expect(scopesRead(scoped)).toEqual(scopes);
  });

  it('leaves the ranges away that nobody gave, and reads nothing without a scope', () => {
    const plan = SAMPLE_PLANS.get('scan') as Plan;
    const [scan] = scansOf(scopeToTenant(plan, { database: 'tenant_a', scopes: [] }).root);
    expect(scan?.boundary).toEqual({ database: 'tenant_a', scopes: [] });
  });

  it.each(['', 'a.b', 'a@b', 'a@localb', 'a`b', 'a b', "a'", 'ä', 'a'.repeat(129)])(
    'throws on the database %j',
    (database) => {
      expect(() => scopeToTenant(SAMPLE_PLANS.get('scan') as Plan, { ...OWN, database })).toThrow(
        'not plain',
      );
    },
  );

  it.each(['tenant_a', 'tenant_a@local'])(
    'names the tenant without what its database is called besides: %s',
    (database) => {
      const ask = call('string', 'current_database');
      const root: PlanNode = {
        kind: 'compute',
        input: (SAMPLE_PLANS.get('values') as Plan).root,
        items: [{ id: 70, expression: ask }],
      };
      const scoped = scopeToTenant(planOf(root, 70), { database, scopes: [] });
      expect(scoped.root.kind === 'compute' && scoped.root.items).toEqual([
        { id: 70, expression: constant('string', 'a') },
      ]);
    },
  );
});

describe('the passes', () => {
  it('end with the tenant, so that no pass comes behind it', () => {
    expect(passes.map(({ name }) => name)).toEqual([
      'place single tables',
      'flatten unions',
      'name the tenant',
      'fold constants',
      'extract paths',
      'join shared scalars',
      'prune columns',
      'cap rows',
      'scope to tenant',
    ]);
    expect(passesFor({ database: 'a', scopes: [] }).map(({ name }) => name)).not.toContain('cap rows');
    // Only a pass over plans is a pass: a scoped plan is none that a pass could give.
    expectTypeOf(scopeToTenant).returns.toEqualTypeOf<ScopedPlan>();
    expectTypeOf<Plan>().not.toExtend<ScopedPlan>();
  });

  const each = passes.flatMap((pass) => every.map(({ name, plan }) => ({ pass, name, plan })));

  it.each(each)(
    '$pass.name: a plan with $name stays sound, keeps its columns and is not written into',
    ({ pass, plan }) => {
      const before = JSON.stringify(plan);
      const after = pass.run(JSON.parse(before, (_, value: unknown) => Object.freeze(value)) as Plan);
      expect(validatePlan(after)).toEqual([]);
      expect(after.columns.map(({ name, type }) => ({ name, type }))).toEqual(
        plan.columns.map(({ name, type }) => ({ name, type })),
      );
      expect(after.nextId).toBeGreaterThanOrEqual(plan.nextId);
      expect(JSON.parse(JSON.stringify(after))).toEqual(after);
    },
  );

  it.each(each)('$pass.name: run again over a plan with $name it changes nothing', ({ pass, plan }) => {
    const once = pass.run(plan);
    expect(pass.run(once)).toEqual(once);
  });

  it.each(each)('$pass.name: a plan with $name that is tied to a tenant stays so', ({ pass, plan }) => {
    const scoped = scopeToTenant(plan, OWN);
    for (const { boundary } of scansOf(pass.run(scoped).root)) expect(boundary).toEqual(TIED);
  });
});
