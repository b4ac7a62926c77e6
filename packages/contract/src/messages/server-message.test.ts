import { inEnglish, say as sentence } from '@tyrian/diagnostics';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { MESSAGE_TEMPLATES } from './message-templates.ts';
import { type MessageValue, messageValuesSchema, serverMessageSchema } from './message-values.ts';
import {
  type MessageCode,
  readStoredText,
  say,
  sayByCode,
  sayDiagnostic,
  sayOfField,
  storedText,
  templateOf,
} from './server-message.ts';

const CODES = Object.entries(MESSAGE_TEMPLATES).flatMap(([area, templates]) =>
  Object.entries(templates).map(([name, template]) => [`${area}.${name}`, template] as const),
);

describe('what the server says', () => {
  it('[R-C39] is a code, its values and the English sentence', () => {
    expect(say('users.emailTaken', { email: 'ada@example.org' })).toEqual({
      code: 'users.emailTaken',
      values: { email: 'ada@example.org' },
      text: 'The email is taken: ada@example.org',
    });
    expect(sayOfField('name', say('reasons.tooLong', { most: 200 })).text).toBe(
      'name: must have at most 200 characters',
    );
  });

  it('[R-C39] does not compile without its values, or with a code that nobody has translated', () => {
    expectTypeOf<Parameters<typeof say<'users.emailTaken'>>>().toEqualTypeOf<
      ['users.emailTaken', Readonly<Record<'email', MessageValue>>]
    >();
    expectTypeOf<Parameters<typeof say<'cases.closed'>>>().toEqualTypeOf<['cases.closed']>();
    expectTypeOf<'users.noSuchSentence'>().not.toExtend<MessageCode>();
    expectTypeOf<string>().not.toExtend<MessageCode>();
    expect(sayByCode('users.noSuchSentence', {})).toBeNull();
    expect(templateOf('users.toString')).toBeUndefined();
    expect(templateOf('constructor.name')).toBeUndefined();
  });

  it('[R-C39] whole sentences start with a capital letter, save the words of the specification', () => {
    // Parts of a sentence: after the name of a field, or as a value.
    const parts = /^(reasons|input|words|outgoing)\.|^passwords\.rule[A-Z]|^session\.notAuthorised$/;
    const afterField = new Set([
      ...['auth.setDirectoryFirst', 'auth.setSsoFirst', 'auth.codesNeedMailServer', 'auth.passwordAgain'],
      ...['connectors.fillIn', 'connectors.noSecret', 'connectors.notJsonBody', 'connectors.secretAnew'],
      ...['cases.tooManyDays', 'lists.selectionQuery', 'organizations.onlyRootViews'],
      ...['preferences.tooManyTables', 'search.noResultColumn', 'signals.tooManySlices', 'signals.raisedBy'],
    ]);
    const small = CODES.filter(([code, template]) => /^[a-z]/.test(template) && !parts.test(code)).map(
      ([code]) => code,
    );
    const unknown = small.filter(
      (code) => !afterField.has(code) && !/^(sso|sources|tenants|workbooks)\./.test(code),
    );
    expect(unknown).toEqual([]);
  });

  it('[R-C39] stored by code it is read back, whatever its values are', () => {
    const said = say('notes.severityChanged', {
      from: say('words.severityLow'),
      to: say('words.severityHigh'),
      name: 'Ann "{{to}}" <O\'Neil>',
    });
    const read = readStoredText(storedText(said));
    expect(read).toEqual({ message: said.text, messageCode: said.code, messageValues: said.values });
    expect(said.text).toBe('Severity changed from Low to High by Ann "{{to}}" <O\'Neil>');
  });

  it('[R-C39] carries what the compiler says by the key of its sentence, also when it is stored', () => {
    const text = sentence('inFunction', {
      name: 'Twice',
      message: sentence('fieldUnseen', { name: 'DvcHostnam' }),
    });
    const said = say('rules.doesNotCompile', {
      diagnostic: sayDiagnostic({ message: inEnglish(text), text }),
    });
    expect(said).toEqual({
      code: 'rules.doesNotCompile',
      text: `The query does not compile: ${inEnglish(text)}`,
      values: {
        diagnostic: {
          code: 'kql.inFunction',
          text: inEnglish(text),
          values: {
            name: 'Twice',
            message: {
              code: 'kql.fieldUnseen',
              values: { name: 'DvcHostnam' },
              text: 'No event has had a field named DvcHostnam',
            },
          },
        },
      },
    });
    expect(readStoredText(storedText(said))).toEqual({
      message: said.text,
      messageCode: said.code,
      messageValues: said.values,
    });
    expect(templateOf('kql.toString')).toBeUndefined();
  });

  it.each([
    [{ message: 'Words of nobody' }],
    [{ message: 'Words of nobody', text: { key: 'ofANewerCompiler' } }],
  ])('[R-C39] what the compiler says without a known sentence stays its English: %j', (found) =>
    expect(sayDiagnostic(found)).toBe('Words of nobody'),
  );

  it.each(['plain', '', '\u{E000}', '\u{E000}{"code":"no.such","values":{}}', '\u{E000}{"code":1}'])(
    '[R-C39] text that is not by code stays as it is: %j',
    (text) => expect(readStoredText(text)).toEqual({ message: text }),
  );

  it('[R-C39] travels as plain values', () => {
    const said = sayOfField('a', say('reasons.oneOf', { values: 'x, y' }));
    expect(serverMessageSchema.parse(JSON.parse(JSON.stringify(said)))).toEqual(said);
    expect(messageValuesSchema.safeParse({ a: { code: 1 } }).success).toBe(false);
  });
});
