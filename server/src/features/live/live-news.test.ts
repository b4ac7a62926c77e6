import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { writeEvents } from '../../platform/events/write-events.ts';
import { type Company, type SeedRole, seedCompany } from '../identity/users/testing/seed-company.ts';

let test: TestApp;
let company: Company;
const ssids: Partial<Record<SeedRole, string>> = {};
const AT = Date.UTC(2026, 4, 5, 9);

beforeAll(async () => {
  test = await testApp({ nowMs: AT });
  company = await seedCompany(test.platform);
  for (const role of ['engineer', 'analyst', 'viewer', 'engineerOfB'] as const) {
    ssids[role] = await company.signIn(role);
  }
});
afterAll(() => test?.close());

const news = async (role: SeedRole, since?: string, scope = company.a.scope) =>
  (
    await test.call(contract.liveNews, {
      ssid: ssids[role] ?? '',
      input: { clusterId: company.a.clusterId, scope_id: scope, ...(since ? { since } : {}) },
    })
  ).data;
const raised = (signalId: string, scopeId = company.a.scope) => ({
  clusterId: company.a.clusterId,
  scopeId,
  kind: 'signal.raised' as const,
  objectId: signalId,
  actor: null,
  details: { name: 'x', score: 3 },
  atMs: AT,
});
const raise = (...signalIds: string[]) =>
  test.platform.postgres.inTenant(company.a.clusterId, (trx) =>
    writeEvents(
      trx,
      signalIds.map((id) => raised(id)),
    ),
  );
const changeCase = (endpoint: contract.Endpoint, input: object) =>
  test.call(endpoint, {
    ssid: ssids.engineer ?? '',
    params: { clusterId: company.a.clusterId },
    input: { scope_id: company.a.scope, ...input },
  });

describe('[R-C18] what is new in a scope', () => {
  it('says which signals were raised and which cases changed since the last answer, and by whom', async () => {
    await raise('before');
    const first = await news('analyst');
    expect(first).toMatchObject({ signal_ids: [], case_changes: [], has_more: false, unread: 0 });
    await raise('s1', 's2');
    const made = (await changeCase(contract.createCase, { case_name: 'Odd sign-in' })).data as contract.Case;
    await changeCase(contract.changeCaseStatus, { case_id: made.case_id, status: 'ON-HOLD' });
    const next = await news('analyst', first.cursor);
    // While a transaction is open anywhere, an answer may repeat what an earlier one could have said.
    expect(next.signal_ids.filter((id) => id !== 'before')).toEqual(['s2', 's1']);
    const by = {
      case_id: made.case_id,
      case_key: made.case_key,
      actor: { user_id: company.userIds.engineer },
    };
    expect(next.case_changes).toMatchObject([
      { ...by, act: 'status', to: 'ON-HOLD' },
      { ...by, act: 'create', to: null },
    ]);
    const last = await news('analyst', next.cursor);
    expect(next.signal_ids).toEqual(expect.arrayContaining(last.signal_ids));
    expect(next.case_changes).toEqual(expect.arrayContaining(last.case_changes));
  });

  it('misses nothing that was being written when it answered', async () => {
    let cursor = (await news('analyst')).cursor;
    const seen: string[] = [];
    await test.platform.postgres.inTenant(company.a.clusterId, async (trx) => {
      await writeEvents(trx, [raised('slow')]);
      await raise('fast');
      const meanwhile = await news('analyst', cursor);
      seen.push(...meanwhile.signal_ids);
      cursor = meanwhile.cursor;
    });
    seen.push(...(await news('analyst', cursor)).signal_ids);
    // What was said before may be said again: see above.
    expect(seen).toEqual(expect.arrayContaining(['fast', 'slow']));
  });

  it('a flood is cut and says so', async () => {
    const { cursor } = await news('analyst');
    await raise(...Array.from({ length: 250 }, (_, index) => `f${index}`));
    const flood = await news('analyst', cursor);
    expect([flood.signal_ids.length, flood.signal_ids[0], flood.has_more]).toEqual([200, 'f249', true]);
  });

  it('is empty for whoever may not see signals and cases, and in every scope out of reach', async () => {
    const nothing = { cursor: '0', signal_ids: [], case_changes: [], has_more: false };
    await raise('secret');
    for (const role of ['viewer', 'engineerOfB'] as const) {
      expect(await news(role, '1')).toMatchObject(nothing);
    }
    expect(await news('analyst', '1', company.a.otherScope)).toMatchObject(nothing);
    expect(await news('analyst', '1', 'nosuchscope1')).toMatchObject(nothing);
    const odd = await test.call(contract.liveNews, {
      ssid: ssids.analyst ?? '',
      input: { since: '1; drop' },
    });
    expect(odd.http).toBe(422);
  });

  it('does not keep a session alive: a console that nobody uses signs out in time', async () => {
    const ssid = await company.signIn('analyst');
    const minute = 60_000;
    for (let passed = 1; passed <= 59; passed += 1) {
      test.platform.clock.set(AT + passed * minute);
      expect((await test.call(contract.liveNews, { ssid })).http).toBe(200);
    }
    test.platform.clock.set(AT + 61 * minute);
    expect((await test.call(contract.liveNews, { ssid })).http).toBe(401);
    test.platform.clock.set(AT);
  });
});
