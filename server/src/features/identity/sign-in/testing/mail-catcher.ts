import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { saveSmtp } from '@tyrian/contract';
import { SMTPServer } from 'smtp-server';
import type { TestApp } from '../../../../engines/testing/index.ts';

export interface CaughtMail {
  readonly to: string;
  readonly subject: string;
  /** The text part, decoded. */
  readonly text: string;
}

export interface MailCatcher {
  readonly port: number;
  readonly mails: readonly CaughtMail[];
  /** The newest mail to an address. Throws when there is none. */
  lastTo(address: string): CaughtMail;
  close(): Promise<void>;
}

const header = (raw: string, name: string) =>
  new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, 'im').exec(raw)?.[1]?.replace(/\r\n[ \t]/g, ' ') ?? '';

function textOf(raw: string): string {
  const [, body = ''] = raw.split(/\r\n\r\n([\s\S]*)/);
  const encoding = header(raw, 'Content-Transfer-Encoding').toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** A real mail server on a free port that takes every mail and keeps it. */
export async function startMailCatcher(): Promise<MailCatcher> {
  const mails: CaughtMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const raw = Buffer.concat(parts).toString('utf8');
        const to = session.envelope.rcptTo.map((one) => one.address).join(',');
        mails.push({ to, subject: header(raw, 'Subject'), text: textOf(raw).replaceAll('\r\n', '\n') });
        done(null);
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    lastTo: (address) => {
      const found = mails.findLast((mail) => mail.to === address);
      if (!found) throw new Error(`no mail to ${address}: ${mails.map((mail) => mail.to).join(', ')}`);
      return found;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Makes it the mail server of the platform, as root would. */
export async function useMailCatcher(test: TestApp, catcher: MailCatcher, rootSsid: string): Promise<void> {
  const input = {
    host: '127.0.0.1',
    port: catcher.port,
    security: 'none',
    from_name: 'Tyrian',
    from_address: 'console@harbour.example',
  };
  const answer = await test.call(saveSmtp, { ssid: rootSsid, input });
  if (answer.http !== 200) throw new Error(answer.text);
}
