import { describe, expect, it } from 'vitest';
import { conditionOf, ruleText, verdictOf } from '../testing/rule-text.ts';

const one = (item: string): string => conditionOf(`s:\n  ${item}\ncondition: s`);
const reasonOf = (detection: string): string => {
  const verdict = verdictOf(ruleText(detection));
  return verdict.verdict === 'runs' ? 'runs' : `${verdict.verdict}: ${verdict.reason}`;
};

describe('values of a detection', () => {
  it.each([
    ['a text without case', "CommandLine: 'Whoami'", 'CommandLine =~ "Whoami"'],
    ['a list', "CommandLine: ['a', 'b']", 'CommandLine in~ ("a", "b")'],
    ['a star at the end', "CommandLine: 'net *'", 'CommandLine startswith "net "'],
    ['a star at the beginning', "Image: '*\\cmd.exe'", 'ProcessName endswith "\\\\cmd.exe"'],
    ['stars around', "CommandLine: '*-enc*'", 'CommandLine contains "-enc"'],
    ['a star alone', "CommandLine: '*'", 'isnotempty(CommandLine)'],
    ['an escaped star', "CommandLine: 'a\\*b'", 'CommandLine =~ "a*b"'],
    ['an escaped backslash before a star', "CommandLine: 'a\\\\*'", 'CommandLine startswith "a\\\\"'],
    ['a backslash before a letter', "CommandLine: 'a\\b'", 'CommandLine =~ "a\\\\b"'],
    ['a wildcard within', "CommandLine: 'a*b?c'", 'CommandLine matches regex "(?is)^a.*b.c$"'],
    ['an empty text', "CommandLine: ''", 'isempty(CommandLine)'],
    ['null', 'CommandLine: null', 'isempty(CommandLine)'],
    ['a number beside a number', 'EventID: 4688', 'EventID == 4688'],
    ['digits beside a number', "EventID: ['4688', 1]", 'EventID in (4688, 1)'],
    ['a number beside a text', 'CommandLine: 5', 'CommandLine =~ "5"'],
    ['a truth value', 'Signed: true', 'Signed =~ "true" or Ext.Signed =~ "true"'],
    ['a field without a column', "FileVersion: '1'", 'Ext.FileVersion =~ "1"'],
    ['a field with blanks', "Some Field: 'x'", 'Ext["Some Field"] =~ "x"'],
    ['a path', "a.b-c: 'x'", 'Ext.a["b-c"] =~ "x"'],
  ])('[T-sigma] %s', (_, item, kql) => {
    expect(one(item)).toBe(kql);
  });
});

describe('modifiers', () => {
  it.each([
    ['contains', "CommandLine|contains: 'x'", 'CommandLine contains "x"'],
    ['startswith', "CommandLine|startswith: 'x'", 'CommandLine startswith "x"'],
    ['endswith', "CommandLine|endswith: 'x'", 'CommandLine endswith "x"'],
    ['all', "CommandLine|contains|all: ['x', 'y']", 'CommandLine contains "x" and CommandLine contains "y"'],
    ['cased', "CommandLine|cased: 'X'", 'CommandLine == "X"'],
    ['contains, cased', "CommandLine|contains|cased: 'X'", 'CommandLine contains_cs "X"'],
    [
      'windash',
      "CommandLine|contains|windash: ' -f '",
      'CommandLine contains " -f " or CommandLine contains " /f " or CommandLine contains " –f " or CommandLine contains " —f " or CommandLine contains " ―f "',
    ],
    [
      'windash with several flags',
      "CommandLine|contains|windash: '-a -b'",
      'CommandLine matches regex "(?is)[\\\\-\\\\/–—―]a [\\\\-\\\\/–—―]b"',
    ],
    ['base64', "CommandLine|base64|contains: 'foo'", 'CommandLine contains "Zm9v"'],
    [
      'base64offset',
      "CommandLine|base64offset|contains: 'foo'",
      'CommandLine contains "Zm9v" or CommandLine contains "Zvb" or CommandLine contains "mb2"',
    ],
    ['wide, base64', "CommandLine|wide|base64|contains: 'ab'", 'CommandLine contains "YQBiAA=="'],
    ['utf16, base64', "CommandLine|utf16|base64: 'a'", 'CommandLine =~ "//5hAA=="'],
    ['utf16be, base64', "CommandLine|utf16be|base64: 'a'", 'CommandLine =~ "AGE="'],
    ['re', "CommandLine|re: 'a.+b$'", 'CommandLine matches regex "a.+b$"'],
    ['re with i, m, s', "CommandLine|re|i|m|s: 'a'", 'CommandLine matches regex "(?ims)a"'],
    ['cidr', "x|cidr: '10.0.0.0/8'", 'coalesce(ipv4_is_in_range(tostring(Ext.x), "10.0.0.0/8"), false)'],
    [
      'cidr of IPv6',
      "x|cidr: 'fe80::/10'",
      'coalesce(ipv6_is_in_range(tostring(Ext.x), "fe80::/10"), false)',
    ],
    ['gt', 'x|gt: 5', 'coalesce(toreal(Ext.x) > real(5), false)'],
    ['lte', 'EventID|lte: 5', 'coalesce(toreal(EventID) <= real(5), false)'],
    ['exists', 'CommandLine|exists: true', 'not(isempty(CommandLine))'],
    ['exists not', 'CommandLine|exists: false', 'isempty(CommandLine)'],
    ['fieldref', 'CommandLine|fieldref: Image', 'isnotempty(ProcessName) and CommandLine =~ ProcessName'],
    [
      'fieldref, endswith',
      'CommandLine|fieldref|endswith: Image',
      'isnotempty(ProcessName) and CommandLine endswith ProcessName',
    ],
    ['neq', "CommandLine|neq: 'x'", 'not(CommandLine =~ "x")'],
    ['hour', 'TimeGenerated|hour: 3', 'hourofday(TimeGenerated) == 3'],
    ['minute', 'TimeGenerated|minute: 3', 'datetime_part("minute", TimeGenerated) == 3'],
    ['week', 'x|week: 3', 'week_of_year(todatetime(Ext.x)) == 3'],
  ])('[T-sigma] %s', (_, item, kql) => {
    expect(one(item)).toBe(kql);
  });

  it('[T-sigma] expand takes the values of the list, and says when it has none', () => {
    const text = ruleText("s:\n  User|expand: 'pre-%Admins%'\ncondition: s");
    expect(verdictOf(text)).toMatchObject({
      verdict: 'missing source',
      reason: 'The list %Admins% has no values',
    });
    const reach = { lists: new Map([['Admins', ['ana', 'b*']]]) };
    expect(conditionOf("s:\n  CommandLine|expand: 'pre-%Admins%'\ncondition: s", undefined, reach)).toBe(
      'CommandLine =~ "pre-ana" or CommandLine startswith "pre-b"',
    );
  });

  it.each([
    ['an unknown one', "x|foo: 'a'", 'unsupported: The modifier "foo" is unknown'],
    [
      'twice',
      "x|contains|contains: 'a'",
      'invalid: The modifier "contains" cannot stand here: it stands twice',
    ],
    ['a flag without re', "x|i: 'a'", 'invalid: The modifier "i" cannot stand here: it stands behind "re"'],
    [
      'what RE2 does not read',
      "x|re: '(?=a)b'",
      'unsupported: The regular expression is none that RE2 reads',
    ],
    [
      'repeats beyond RE2',
      "x|re: '((a{900}){900}){900}'",
      'unsupported: The regular expression is none that RE2 reads',
    ],
    ['no network', "x|cidr: '10.0.0.0/99'", 'invalid: "10.0.0.0/99" is not a network such as 10.0.0.0/8'],
    ['no number', "x|gt: 'many'", 'invalid: "many" is not a number'],
    ['an encoded wildcard', "x|base64: 'a*'", 'unsupported: A value with a wildcard cannot be encoded'],
  ])('[T-sigma] refuses %s', (_, item, reason) => {
    expect(reasonOf(`s:\n  ${item}\ncondition: s`)).toContain(reason);
  });
});

describe('search identifiers', () => {
  it('[T-sigma] a map is and, a list of maps is or', () => {
    expect(one("Image: 'a'\n  CommandLine: 'b'")).toBe('ProcessName =~ "a" and CommandLine =~ "b"');
    expect(conditionOf("s:\n  - Image: 'a'\n  - CommandLine: 'b'\ncondition: s")).toBe(
      'ProcessName =~ "a" or CommandLine =~ "b"',
    );
  });

  it('[T-sigma] keywords are looked for in the whole event, also as JSON writes them', () => {
    expect(conditionOf("k:\n  - 'one'\n  - 'a\\b'\ncondition: k")).toBe(
      'Raw contains "one" or Raw contains "a\\\\b" or Raw contains "a\\\\\\\\b"',
    );
    expect(conditionOf("k:\n  '|all': ['one', 'two*three']\ncondition: k")).toBe(
      'Raw contains "one" and Raw matches regex "(?is)two.*three"',
    );
  });
});

describe('conditions', () => {
  const four = "a1:\n  Image: '1'\na2:\n  Image: '2'\nb:\n  Image: '3'\n_c:\n  Image: '4'\n";
  it.each([
    ['or binds last', 'a1 and a2 or b', '(ProcessName =~ "1" and ProcessName =~ "2") or ProcessName =~ "3"'],
    ['brackets', 'a1 and (a2 or b)', 'ProcessName =~ "1" and (ProcessName =~ "2" or ProcessName =~ "3")'],
    ['not', 'a1 and not b', 'ProcessName =~ "1" and not(ProcessName =~ "3")'],
    ['1 of a pattern', '1 of a*', 'ProcessName =~ "1" or ProcessName =~ "2"'],
    ['all of a pattern', 'all of a*', 'ProcessName =~ "1" and ProcessName =~ "2"'],
    [
      'them leaves out what begins with an underscore',
      'any of them',
      'ProcessName =~ "1" or ProcessName =~ "2" or ProcessName =~ "3"',
    ],
    ['capitals', 'a1 AND NOT b', 'ProcessName =~ "1" and not(ProcessName =~ "3")'],
    ['a list', '[a1, b]', 'ProcessName =~ "1" or ProcessName =~ "3"'],
  ])('[T-sigma] %s', (_, condition, kql) => {
    expect(conditionOf(`${four}condition: ${condition}`)).toBe(kql);
  });

  it.each([
    ['an unknown name', 'a1 and x', 'The condition names "x", which is not there'],
    ['a pattern like none', '1 of x*', 'No search identifier is called like "x*"'],
    ['an open bracket', '(a1', 'a bracket is not closed'],
    ['an end behind and', 'a1 and', 'it ends too early'],
    ['two names', 'a1 b', '"b" stands where "and" or "or" should'],
    ['aggregation', 'a1 | count() > 5', 'Aggregation after a pipe'],
    ['two of', '2 of them', '"2 of" is not known'],
    ['brackets without end', `${'('.repeat(500)}a1${')'.repeat(500)}`, 'it nests deeper than'],
  ])('[T-sigma] refuses %s', (_, condition, reason) => {
    expect(reasonOf(`${four}condition: ${condition}`)).toContain(reason);
  });
});
