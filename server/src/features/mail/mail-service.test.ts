import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Locale, readSmtp, removeSmtp, saveSmtp, testSmtp } from '@tyrian/contract';
import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { NOT_REACHED } from '../../platform/outgoing/outgoing-error.ts';
import { countConnections, httpAnswer } from '../../platform/outgoing/testing/counting-listener.ts';
import { startMailCatcher } from '../identity/sign-in/testing/mail-catcher.ts';
import { type Company, type SeedRole, seedCompany } from '../identity/users/testing/seed-company.ts';

// A real mail server on a free port: one user with one password, and one address that it refuses.

const PASSWORD = 'mail-Password.1';
let test: TestApp;
let company: Company;
let server: SMTPServer;
let port = 0;
const received: string[] = [];
const sessions: Partial<Record<SeedRole, string>> = {};

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'mailer' && password === PASSWORD
        ? done(null, { user: username })
        : done(new Error('535 wrong name or password')),
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith('nobody@') ? new Error('no such mailbox here') : null),
    onData: (stream, _session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        received.push(Buffer.concat(parts).toString('utf8'));
        done(null);
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  port = (server.server.address() as AddressInfo).port;
  test = await testApp({ env: { TYRIAN_OUTGOING_ALLOW: '127.0.0.0/8' } });
  company = await seedCompany(test.platform);
  for (const role of ['root', 'rootViewer', 'tenantAdmin'] as const)
    sessions[role] = await company.signIn(role);
});
afterAll(async () => {
  await test?.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

const settings = () => ({
  host: '127.0.0.1',
  port,
  security: 'none' as const,
  user: 'mailer',
  from_name: 'Tyrian',
  from_address: 'console@harbour.example',
});
const as = (role: 'root' | 'rootViewer' | 'tenantAdmin') => ({ ssid: sessions[role] ?? '' });

describe('the mail server of the platform', () => {
  it('[S2-18][S6-12][S6-14] without one nothing can be sent, and the page says so', async () => {
    expect((await test.call(readSmtp, as('root'))).data).toEqual({ settings: null });
    expect(await company.identity.mail.isSetUp()).toBe(false);
    await expect(
      company.identity.mail.send({ to: 'a@harbour.example', subject: 's', text: 't' }),
    ).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('[S2-18] a test mail really arrives, before anything is saved', async () => {
    const input = { to: 'ops@harbour.example', settings: { ...settings(), password: PASSWORD } };
    const { data } = await test.call(testSmtp, { ...as('root'), input });
    expect(data).toMatchObject({ accepted: true, answer: expect.stringMatching(/^250 /) });
    expect(received.at(-1)).toContain('To: ops@harbour.example');
    expect(received.at(-1)).toContain('From: Tyrian <console@harbour.example>');
    expect((await test.call(readSmtp, as('root'))).data.settings).toBeNull();
  });

  it('[R-C39] a test mail is in the language of its reader, else of whoever sends it', async () => {
    const setLocale = (role: SeedRole, locale: Locale) =>
      sql`update person set locale = ${locale} where email = ${company.emailOf(role)}`.execute(
        test.platform.postgres.platform,
      );
    const catcher = await startMailCatcher();
    const textTo = async (to: string) => {
      const input = { to, settings: { ...settings(), port: catcher.port, user: '' } };
      expect((await test.call(testSmtp, { ...as('root'), input })).data.accepted).toBe(true);
      return catcher.mails.at(-1)?.text;
    };
    const reader = company.emailOf('tenantAdmin');
    expect(await textTo(reader)).toContain('sent this email to see whether');
    await setLocale('tenantAdmin', 'fr-FR');
    await setLocale('root', 'ru-RU');
    expect(await textTo(reader.toUpperCase())).toContain('a envoyé cet e-mail pour vérifier');
    expect(await textTo('stranger@elsewhere.example')).toContain('проверяет этим письмом');
    await setLocale('root', 'en-US');
    await catcher.close();
  });

  it('[S2-18] a refusal is told in the words of the mail server', async () => {
    const send = async (to: string, password: string, change: object = {}) =>
      (
        await test.call(testSmtp, {
          ...as('root'),
          input: { to, settings: { ...settings(), ...change, password } },
        })
      ).data;
    expect(await send('nobody@harbour.example', PASSWORD)).toMatchObject({
      accepted: false,
      answer: expect.stringContaining('no such mailbox here'),
    });
    expect(await send('ops@harbour.example', 'wrong')).toMatchObject({
      accepted: false,
      answer: expect.stringContaining('535'),
    });
    // The server has no TLS: a mail that must be encrypted is not sent in the clear instead.
    const before = received.length;
    expect((await send('ops@harbour.example', PASSWORD, { security: 'starttls' })).accepted).toBe(false);
    expect(received).toHaveLength(before);
  });

  it('[S14] what is no mail server is not told apart from nothing at all, and networks that are not listed are closed', async () => {
    const ssh = await countConnections((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
    const web = await countConnections(httpAnswer('400 Bad Request', 'nothing'));
    const answerOf = async (change: object) => {
      const input = { to: 'ops@harbour.example', settings: { ...settings(), ...change, password: PASSWORD } };
      return (await test.call(testSmtp, { ...as('root'), input })).data;
    };
    for (const change of [
      { port: ssh.port },
      { port: web.port },
      { port: 1 },
      { host: '10.0.0.1' },
      { host: '[::1]' },
    ]) {
      expect(await answerOf(change), JSON.stringify(change)).toMatchObject({
        accepted: false,
        answer: NOT_REACHED,
      });
    }
    expect([ssh.connections(), web.connections()]).toEqual([1, 1]);
    await ssh.close();
    await web.close();
  });

  it('[S2-18] the password is kept sealed, never read back, and never sent to another server', async () => {
    await test.call(saveSmtp, { ...as('root'), input: { ...settings(), password: PASSWORD } });
    const read = await test.call(readSmtp, as('rootViewer'));
    expect(read.data.settings).toMatchObject({
      host: '127.0.0.1',
      has_password: true,
      changed_by: 'root of Harbour',
    });
    expect(read.text).not.toContain(PASSWORD);
    const { rows } = await sql<{ value: string }>`select value::text as value from platform_setting`.execute(
      test.platform.postgres.platform,
    );
    expect(rows.map((row) => row.value).join()).not.toContain(PASSWORD);
    const tested = await test.call(testSmtp, {
      ...as('root'),
      input: { to: 'ops@harbour.example', settings: settings() },
    });
    expect(tested.data.accepted).toBe(true);
    for (const change of [
      { host: 'localhost' },
      { port: port + 1 },
      { user: 'other' },
      { verify_certificate: false },
    ]) {
      const input = { ...settings(), ...change };
      expect((await test.call(saveSmtp, { ...as('root'), input })).http).toBe(422);
      expect(
        (await test.call(testSmtp, { ...as('root'), input: { to: 'ops@harbour.example', settings: input } }))
          .http,
      ).toBe(422);
    }
  });

  it('one address stays one address, and no header gets in through a name', async () => {
    const { mail } = company.identity;
    await mail.send({ to: 'a@harbour.example', subject: 'line\r\nBcc: b@harbour.example', text: 'x' });
    expect(received.at(-1)).not.toMatch(/^Bcc:/m);
    const input = { ...settings(), from_name: 'x\r\nBcc: b@harbour.example', password: PASSWORD };
    expect((await test.call(saveSmtp, { ...as('root'), input })).http).toBe(422);
  });

  it('[S6-14] a root viewer looks, root alone changes, nobody else sees anything; every act is in the trail', async () => {
    const input = { ...settings(), password: PASSWORD };
    for (const role of ['rootViewer', 'tenantAdmin'] as const) {
      expect((await test.call(saveSmtp, { ...as(role), input })).http).toBe(403);
      expect((await test.call(removeSmtp, as(role))).http).toBe(403);
    }
    expect((await test.call(readSmtp, as('tenantAdmin'))).http).toBe(403);
    expect((await test.call(removeSmtp, as('root'))).http).toBe(200);
    expect((await test.call(readSmtp, as('root'))).data.settings).toBeNull();
    const { rows } = await sql<{ action: string; details: unknown }>`
      select action, details from audit_entry where action like 'smtp.%' order by audit_id`.execute(
      test.platform.postgres.platform,
    );
    expect(rows.map((row) => row.action)).toEqual(
      expect.arrayContaining(['smtp.test', 'smtp.answer', 'smtp.save', 'smtp.remove']),
    );
    const [asked, answered] = rows;
    expect(asked).toMatchObject({ action: 'smtp.test', details: { port, to: 'ops@harbour.example' } });
    const details = { port, to: 'ops@harbour.example', accepted: true, address: '127.0.0.1' };
    expect(answered).toMatchObject({ action: 'smtp.answer', details });
    const refused = rows.filter((row) => row.action === 'smtp.answer').map((row) => row.details);
    expect(refused).toContainEqual(expect.objectContaining({ accepted: false, address: null }));
    expect(JSON.stringify(rows)).not.toContain(PASSWORD);
  });
});
