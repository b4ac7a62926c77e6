import { codedText, type Locale, type SmtpSettings, say, sayOfField } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import type { AuditRecorder } from '../../platform/audit-recorder.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Outgoing } from '../../platform/outgoing/outgoing-connections.ts';
import { outgoingAnswer } from '../../platform/outgoing/outgoing-error.ts';
import { sendThroughSmtp, smtpReason } from '../../platform/outgoing/smtp-transport.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { textInLocale } from '../../platform/text-in-locale.ts';
import { selectLocale } from './reader-locale-store.ts';
import { deleteSmtp, type StoredSmtp, saveSmtp, selectSmtp } from './smtp-store.ts';

// Mail through the server that root has set. Nothing is queued: whoever sends learns at once whether the mail
// server took the mail, and in its own words why not.

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  /** The same as HTML; text alone when absent. */
  readonly html?: string;
}

interface SettingsInput extends SmtpSettings {
  readonly password?: string | undefined;
}

type ShownSmtp = Omit<StoredSmtp, 'sealed_password'> & { has_password: boolean };

export interface MailService {
  /** Whether mail can be sent at all; sign-in by mailed codes depends on it. */
  isSetUp(): Promise<boolean>;
  /** The language of the user with this address; null for an address that no user has. */
  localeOf(address: string): Promise<Locale | null>;
  /** Resolves with the mail server's answer. Throws AppError `unavailable` when it is not set or does not take it. */
  send(mail: Mail): Promise<string>;
  read(): Promise<ShownSmtp | null>;
  save(caller: Caller, settings: SettingsInput, source: string): Promise<void>;
  remove(caller: Caller, source: string): Promise<void>;
  test(
    caller: Caller,
    asked: { readonly to: string; readonly settings: SettingsInput },
    source: string,
  ): Promise<{ accepted: boolean; answer: string; duration_ms: number }>;
}

export interface MailDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly audit: AuditRecorder;
  readonly secrets: SecretBox;
  readonly outgoing: Outgoing;
}

const PURPOSE = 'smtp';

function deliver(
  outgoing: Outgoing,
  settings: SmtpSettings,
  password: string,
  mail: Mail,
): ReturnType<typeof sendThroughSmtp> {
  return sendThroughSmtp(
    outgoing,
    { ...settings, password },
    {
      from: { name: settings.from_name, address: settings.from_address },
      // As an object: a list of addresses in one text stays one address.
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      ...(mail.html === undefined ? {} : { html: mail.html }),
    },
  );
}

export function createMailService(deps: MailDeps): MailService {
  return bindDeps(deps, { isSetUp, localeOf, send, read, save, remove, test });
}

function opened({ secrets }: MailDeps, stored: StoredSmtp | null) {
  return stored?.sealed_password ? secrets.open(stored.sealed_password, PURPOSE) : '';
}

/** A stored password goes to the server and user it was given for, never to another. */
function passwordFor(deps: MailDeps, input: SettingsInput, stored: StoredSmtp | null): string {
  if (input.password !== undefined) return input.password;
  if (!stored?.sealed_password || input.user === '') return '';
  const isSame = stored.host === input.host && stored.port === input.port && stored.user === input.user;
  const isAsSafe =
    stored.security === input.security && stored.verify_certificate === input.verify_certificate;
  if (!isSame || !isAsSafe) {
    throw new AppError('bad-input', sayOfField('password', say('auth.passwordAgain')), {
      field: 'password',
    });
  }
  return opened(deps, stored);
}

async function isSetUp({ postgres }: MailDeps): Promise<boolean> {
  return (await selectSmtp(postgres)) !== null;
}

function localeOf({ postgres }: MailDeps, address: string): Promise<Locale | null> {
  return selectLocale(postgres, address);
}

async function send(deps: MailDeps, mail: Mail): Promise<string> {
  const stored = await selectSmtp(deps.postgres);
  if (!stored) throw new AppError('unavailable', say('mail.notConfigured'));
  try {
    return (await deliver(deps.outgoing, stored, opened(deps, stored), mail)).answer;
  } catch (error) {
    throw new AppError('unavailable', say('mail.rejected', { reason: smtpReason(error) }));
  }
}

async function read({ postgres }: MailDeps): Promise<ShownSmtp | null> {
  const stored = await selectSmtp(postgres);
  if (!stored) return null;
  const { sealed_password, ...shown } = stored;
  return { ...shown, has_password: sealed_password !== null };
}

async function save(deps: MailDeps, caller: Caller, input: SettingsInput, source: string): Promise<void> {
  const { postgres, secrets, clock, audit } = deps;
  const { password: _given, ...settings } = input;
  const password = passwordFor(deps, input, await selectSmtp(postgres));
  const sealed_password = password === '' ? null : secrets.seal(password, PURPOSE);
  const { host, port, security, from_address } = settings;
  const act = { action: 'smtp.save', who: caller, source, entity: host };
  await postgres.platform.transaction().execute(async (trx) => {
    await saveSmtp(trx, { ...settings, sealed_password, changed_by: caller.name }, clock.now());
    await audit.record({ ...act, details: { port, security, from_address } }, trx);
  });
}

function remove({ postgres, audit }: MailDeps, caller: Caller, source: string): Promise<void> {
  return postgres.platform.transaction().execute(async (trx) => {
    const details = { changed: (await deleteSmtp(trx)) ? 1 : 0 };
    await audit.record({ action: 'smtp.remove', who: caller, source, details }, trx);
  });
}

async function test(
  deps: MailDeps,
  caller: Caller,
  { to, settings }: { readonly to: string; readonly settings: SettingsInput },
  source: string,
): Promise<{ accepted: boolean; answer: string; duration_ms: number }> {
  const { postgres, audit, outgoing } = deps;
  const password = passwordFor(deps, settings, await selectSmtp(postgres));
  const { host: entity, port, security } = settings;
  const asked = { to, port, security };
  // Before the mail server is asked, and once more with what it answered.
  await audit.record({ action: 'smtp.test', who: caller, source, entity, details: asked });
  const started = performance.now();
  const locale = (await selectLocale(postgres, to)) ?? (await selectLocale(postgres, caller.email));
  const mail = testMail(to, caller.name, locale ?? 'en-US');
  const outcome = await deliver(outgoing, settings, password, mail).then(
    ({ answer, reached }) => ({ accepted: true, ...outgoingAnswer(answer), address: reached.address }),
    (error: unknown) => ({ accepted: false, ...outgoingAnswer(smtpReason(error)), address: null }),
  );
  const duration_ms = Math.round(performance.now() - started);
  const { accepted, address, ...said } = outcome;
  await audit.record({
    action: 'smtp.answer',
    who: caller,
    source,
    entity,
    details: { ...asked, accepted, answer: said.answer, address },
  });
  return { accepted, ...said, duration_ms };
}

function testMail(to: string, name: string, locale: Locale): Mail {
  return {
    to,
    subject: `Tyrian: ${textInLocale(locale, codedText(say('mail.testSubject')))}`,
    text: `${textInLocale(locale, codedText(say('mail.testText', { name })))}\n`,
  };
}
