import { beforeAll, describe, expect, it } from 'vitest';
import { activateLocale } from './i18n.ts';
import { wordsOfCode } from './value-words.ts';

beforeAll(() => activateLocale('en-US'));

describe('what coded values mean', () => {
  it.each([
    ['ParseStatus', 'PAD', 'Parsed'],
    ['ParseStatus', 'NLF', 'Unknown format'],
    ['Ext.FailureReason', '%%2313', 'Unknown user name or wrong password'],
    ['Ext.AccessList', '%%1538\n\t\t\t\t%%4484\n', 'Read permissions, Read process memory'],
    ['Ext.Status', '0xC000006D', 'Unknown user name or wrong password'],
    ['EventResultDetails', '0xc0000234', 'Account locked out'],
    ['Ext.SubStatus', '0x0', 'Success'],
    ['Ext.Status', '0x18', 'Wrong password'],
    ['Ext.TicketEncryptionType', '0x17', 'RC4, weak'],
    ['LogonType', 10, 'Remote desktop'],
    ['Message', '0xc0000022', 'Access denied'],
  ])('[R-C14] %s %s is %s', (field, value, words) => {
    expect(wordsOfCode(field, value)).toBe(words);
  });

  it.each([
    ['Message', 'PAD'],
    ['EventID', 10],
    ['Ext.GrantedAccess', '0x18'],
    ['Ext.Status', '0xdeadbeef'],
    ['Ext.Status', 'ntstatus'],
    ['Ext.FailureReason', '%%9999'],
    ['Ext.AccessList', '%%1538 %%9999'],
    ['LogonType', null],
    ['LogonType', { type: 3 }],
  ])('[R-C14] says nothing of what it does not know: %s %s', (field, value) => {
    expect(wordsOfCode(field, value)).toBeNull();
  });

  it('[R-C14] speaks the language of the console', async () => {
    await activateLocale('fr-FR');
    expect(wordsOfCode('Ext.Status', '0xc0000072')).toBe('Compte désactivé');
    await activateLocale('en-US');
  });
});
