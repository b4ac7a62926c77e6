import { caseInfo, listScopes, login, readScopes, taskState } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Refusal, stubCalls } from '../testing/stub-calls.ts';
import { address, type CallError, call, configureCalls } from './call.ts';

const onInvalid = vi.fn();
const onNotAuthorised = vi.fn();
const onAgreementsDue = vi.fn();
configureCalls({ ssid: () => 'ssid-1', onInvalid, onNotAuthorised, onAgreementsDue });
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const refused = (answer: unknown, sessionFlow = false) => {
  stubCalls([[login, () => answer]]);
  return call(login, { input: { emailId: 'a@b.c', password: 'x' }, sessionFlow }).catch(
    (error: CallError) => error,
  ) as Promise<CallError>;
};

describe('the client', () => {
  it('[S7-01] sends the session id and reads data out of the envelope', async () => {
    const { seen } = stubCalls([[caseInfo, () => ({ case_id: 'k1' })]]);
    const input = { scope_id: 's1', case_id: 'k1' };
    expect(await call(caseInfo, { params: { clusterId: 'c1' }, input })).toEqual({ case_id: 'k1' });
    expect(seen[0]).toMatchObject({ url: '/c1/api/cases/info', input, headers: { ssid: 'ssid-1' } });
  });

  it('fills paths, writes queries for GET and bodies for POST', () => {
    expect(
      address(readScopes, { params: { clusterId: 'a/b' }, input: { is_enabled: 'enabled', pageno: 2 } }),
    ).toEqual({
      url: '/lc/mgmt/cluster/a%2Fb/scope/list?is_enabled=enabled&pageno=2',
      body: undefined,
    });
    expect(address(listScopes, { params: { clusterId: 'c1' }, input: {} }).body).toBe('{}');
    expect(() => address(listScopes, { input: {} })).toThrow('clusterId');
  });

  it('[S8-01][S4-34] ends the session on status invalid', async () => {
    const error = await refused(new Refusal(401, 'invalid', 'Invalid'));
    expect(error).toMatchObject({ kind: 'invalid-session', status: 401, requestId: 'req-1' });
    expect(onInvalid).toHaveBeenCalledOnce();
  });

  it.each(['User Invalid', 'Invalid'])(
    '[S8-02][S4-34] ends the session on status error with %s',
    async (message) => {
      expect((await refused(new Refusal(200, 'error', message))).kind).toBe('invalid-session');
      expect(onInvalid).toHaveBeenCalledOnce();
    },
  );

  it('[S8-03][S4-41] asks for the rights anew when the user is not authorised', async () => {
    const error = await refused(new Refusal(403, 'failed', 'user not authorised', null, 'not-authorised'));
    expect(error.kind).toBe('not-authorised');
    expect(onNotAuthorised).toHaveBeenCalledOnce();
    expect(onInvalid).not.toHaveBeenCalled();
  });

  it('[S2-79] leads to the agreements when they are due, without a word about rights', async () => {
    const error = await refused(
      new Refusal(403, 'failed', 'first the agreements', { due: ['policy'] }, 'agreements-due'),
    );
    expect(error.kind).toBe('agreements-due');
    expect(onAgreementsDue).toHaveBeenCalledOnce();
    expect(onNotAuthorised).not.toHaveBeenCalled();
  });

  it('[S8-03] does neither inside the flows that end or refresh a session', async () => {
    await refused(new Refusal(401, 'invalid', 'Invalid'), true);
    await refused(new Refusal(403, 'failed', 'user not authorised', null, 'not-authorised'), true);
    expect(onInvalid).not.toHaveBeenCalled();
    expect(onNotAuthorised).not.toHaveBeenCalled();
  });

  it('[R-B][S8-03] goes by the code of a refusal, not by its words', async () => {
    const reworded = await refused(new Refusal(403, 'failed', 'Zugriff verweigert', null, 'not-authorised'));
    expect(reworded.kind).toBe('not-authorised');
    expect(onNotAuthorised).toHaveBeenCalledOnce();
    const alike = await refused(new Refusal(409, 'failed', 'user not authorised', null, 'conflict'));
    expect(alike.kind).toBe('failed');
    expect(onNotAuthorised).toHaveBeenCalledOnce();
  });

  it('[S8-04] gives any other failure with the message of the server', async () => {
    expect(await refused(new Refusal(409, 'failed', 'changed by Bob'))).toMatchObject({
      kind: 'failed',
      status: 409,
      message: 'changed by Bob',
    });
    expect(await refused(new Refusal(200, 'failed', 'no'))).toMatchObject({ kind: 'failed' });
    expect(onInvalid).not.toHaveBeenCalled();
  });

  it('[S8-05] tells a network failure from a refusal', async () => {
    expect(await refused(new TypeError('fetch failed'))).toMatchObject({ kind: 'network', status: 0 });
  });

  it('leaves an abort alone', async () => {
    const stop = new AbortController();
    const giveUp = () => {
      stop.abort();
      return new TypeError('aborted');
    };
    stubCalls([[login, giveUp]]);
    const error = await call(login, { input: { emailId: 'a', password: 'b' }, signal: stop.signal }).catch(
      (e) => e,
    );
    expect(error.kind).toBe('aborted');
  });

  it('takes a flat answer whole', async () => {
    stubCalls([[taskState, () => new Refusal(200, 'success', '')]]);
    const answer = await call(taskState, { params: { clusterId: 'c1', taskid: 't1', task_id: 't1' } });
    expect(answer).toMatchObject({ status: 'success' });
  });
});
