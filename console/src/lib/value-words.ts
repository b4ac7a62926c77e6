import i18next from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useScopeNames } from './scope-names.ts';
import { useScope } from './session-store.ts';

// What coded values of events mean: the one place that knows. The words stand beside a value, never in its stead, so
// that what is copied, searched and filtered is what the source sent.

/** Words for a value of a field, or null when it is no code that is known. */
export type ValueWords = (field: string, value: unknown) => string | null;

/** Messages of Windows that events name by number; a value may hold several of them. */
const WINDOWS_MESSAGES = /^\s*(%%\d{3,5}\s*)+$/;
const NTSTATUS = /^0x[0-9a-f]{8}$/;

/** Fields, by the last part of their name, whose values are codes of one table. */
const TABLES: Readonly<Record<string, readonly Table[]>> = {
  ParseStatus: ['parseStatus'],
  LogonType: ['logonType'],
  TicketEncryptionType: ['ticketEncryption'],
  EventResultDetails: ['ntstatus', 'kerberos'],
  Status: ['ntstatus', 'kerberos'],
  SubStatus: ['ntstatus', 'kerberos'],
  ResultCode: ['ntstatus', 'kerberos'],
  FailureCode: ['ntstatus', 'kerberos'],
};
type Table = 'parseStatus' | 'ntstatus' | 'windows' | 'kerberos' | 'ticketEncryption' | 'logonType';

const SCOPE_FIELDS = ['Scope', 'scope_id', 'scopeId'];

function wordOf(table: Table, code: string): string | null {
  const key = `${table}.${code}`;
  return i18next.exists(key, { ns: 'codes' }) ? i18next.t(key, { ns: 'codes' }) : null;
}

/** What a code means in the language of the console; the names of scopes come from elsewhere. */
export function wordsOfCode(field: string, value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value);
  if (text === '' || text.length > 200) return null;
  if (WINDOWS_MESSAGES.test(text)) {
    const found = text
      .trim()
      .split(/\s+/)
      .map((code) => wordOf('windows', code));
    return found.includes(null) ? null : found.join(', ');
  }
  const name = field.slice(field.lastIndexOf('.') + 1);
  const tables = TABLES[name] ?? [];
  const code = tables.includes('parseStatus') ? text : text.toLowerCase();
  for (const table of tables) {
    const word = wordOf(table, code);
    if (word !== null) return word;
  }
  return NTSTATUS.test(code) ? wordOf('ntstatus', code) : null;
}

/** A code with its words on one line, for legends and axes. */
export const withWords = (text: string, words: string | null): string =>
  words === null ? text : `${text} · ${words}`;

/** The words of the user's own place: codes in their language, scopes by their names. */
export function useValueWords(): ValueWords {
  // Another language has other words.
  const { i18n } = useTranslation('codes');
  const { clusterId } = useScope();
  const { scopeName } = useScopeNames();
  const { language } = i18n;
  return useMemo(() => {
    const words: ValueWords = (field, value) => {
      if (language === '') return null;
      if (!SCOPE_FIELDS.includes(field.slice(field.lastIndexOf('.') + 1))) return wordsOfCode(field, value);
      const name = typeof value === 'string' ? scopeName(clusterId, value) : null;
      return name === value ? null : name;
    };
    return words;
  }, [language, clusterId, scopeName]);
}

/** A code with its words on one line, or null when it is none: for legends and axes. */
export function useValueNames(): ValueWords {
  const words = useValueWords();
  return useMemo(() => {
    const names: ValueWords = (field, value) => {
      const said = words(field, value);
      return said === null ? null : withWords(String(value), said);
    };
    return names;
  }, [words]);
}
