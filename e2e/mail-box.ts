import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { removeSmtp, saveSmtp } from '@tyrian/contract';
import { SMTPServer } from 'smtp-server';
import { callServer } from './start-journey-server.ts';

export interface MailBox {
  /** The text of the first mail to an address, once it has come. */
  nextTo(address: string): Promise<string>;
  close(): Promise<void>;
}

/** Quoted-printable undone; enough for the plain texts that the server sends. */
const decoded = (raw: string) =>
  raw
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** A real mail server, set as the one of the platform until it is closed. */
export async function openMailBox(server: string, rootSsid: string): Promise<MailBox> {
  const mails: { to: string; text: string }[] = [];
  const waiting = new Map<string, (text: string) => void>();
  const take = (to: string) => {
    const at = mails.findIndex((mail) => mail.to === to);
    return at < 0 ? undefined : mails.splice(at, 1)[0]?.text;
  };
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map((one) => one.address).join(',');
        mails.push({ to, text: decoded(Buffer.concat(parts).toString('utf8')) });
        done(null);
        waiting.get(to)?.(take(to) ?? '');
      });
    },
  });
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  const { port } = smtp.server.address() as AddressInfo;
  const settings = { host: '127.0.0.1', port, security: 'none', from_address: 'console@tyrian.test' };
  await callServer(`${server}${saveSmtp.path}`, saveSmtp.method, settings, rootSsid);
  return {
    nextTo: (address) =>
      new Promise((resolve) => {
        const there = take(address);
        if (there !== undefined) return resolve(there);
        waiting.set(address, (text) => {
          waiting.delete(address);
          resolve(text);
        });
      }),
    close: async () => {
      await callServer(`${server}${removeSmtp.path}`, removeSmtp.method, undefined, rootSsid);
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
    },
  };
}
