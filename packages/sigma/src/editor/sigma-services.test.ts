import { describe, expect, it } from 'vitest';
import { completeSigma, hoverSigma } from '../index.ts';

const ATTACK = new Map([
  ['t1033', 'System Owner/User Discovery'],
  ['discovery', 'Discovery'],
]);

const RULE = `title: Whoami
level: high
tags:
  - attack.t1033
logsource:
  product: windows
  category: process_creation
detection:
  selection_image:
    Image|endswith: 'whoami.exe'
  selection_name:
    - OriginalFileName: 'whoami.exe'
  condition: all of selection_*
`;

/** The labels that are offered where `¦` stands in the text. */
function offered(text: string): readonly string[] {
  const position = text.indexOf('¦');
  const found = completeSigma(text.replace('¦', ''), position, ATTACK);
  return found?.options.map(({ label }) => label) ?? [];
}
const hovered = (word: string, after = 0) => hoverSigma(RULE, RULE.indexOf(word) + after + 1, ATTACK);

describe('writing Sigma', () => {
  it('[T-sigma-editor] keys of a rule that are not there yet', () => {
    const labels = offered(`${RULE}¦`);
    expect(labels).toContain('falsepositives');
    expect(labels).not.toContain('title');
    expect(offered('logsource:\n  product: windows\n  ¦')).toEqual(['category', 'service', 'definition']);
    expect(offered('detection:\n  ¦')).toEqual(['selection', 'filter', 'condition']);
  });

  it('[T-sigma-editor] values of keys that have a few', () => {
    expect(offered('level: ¦')).toContain('critical');
    expect(offered('status: te¦')).toContain('test');
    expect(offered('correlation:\n  type: ¦')).toContain('value_count');
    expect(offered('title: ¦')).toEqual([]);
  });

  it('[T-sigma-editor] log sources that some mapping knows beside what is said already', () => {
    expect(offered('logsource:\n  product: windows\n  category: ¦')).toEqual(
      expect.arrayContaining(['process_creation', 'registry_set']),
    );
    expect(offered('logsource:\n  product: aws\n  service: ¦')).toContain('cloudtrail');
    expect(offered('logsource:\n  product: aws\n  service: ¦')).not.toContain('sysmon');
  });

  it('[T-sigma-editor] fields of the log source with their columns, modifiers behind a bar', () => {
    const text = RULE.replace("Image|endswith: 'whoami.exe'", '¦');
    expect(offered(text)).toEqual(expect.arrayContaining(['CommandLine', 'ParentImage']));
    const found = completeSigma(text.replace('¦', ''), text.indexOf('¦'), ATTACK);
    expect(found?.options.find(({ label }) => label === 'Image')?.detail).toBe('ProcessName');
    const modifiers = offered(RULE.replace("Image|endswith: 'whoami.exe'", 'Image|contains|¦'));
    expect(modifiers).toContain('all');
    expect(modifiers).not.toContain('contains');
    expect(offered(RULE.replace("OriginalFileName: 'whoami.exe'", 'Orig¦'))).toContain('OriginalFileName');
  });

  it('[T-sigma-editor] names and words of conditions, tags of ATT&CK', () => {
    const labels = offered(RULE.replace('all of selection_*', 'selection_image and ¦'));
    expect(labels).toEqual(
      expect.arrayContaining(['selection_image', 'selection_name', 'selection_*', 'not', '1 of']),
    );
    expect(offered('tags:\n  - att¦')).toEqual(expect.arrayContaining(['attack.t1033', 'attack.discovery']));
    expect(offered('tags:\n- ¦')).toContain('attack.t1033');
  });

  it('[T-sigma-editor] says what a word is', () => {
    expect(hovered('level')).toMatchObject({ kind: 'key', name: 'level' });
    expect(hovered('Image|')).toMatchObject({
      kind: 'field',
      sources: ['ProcessName'],
      table: 'windows-event-data',
    });
    expect(hovered('endswith')).toMatchObject({ kind: 'modifier', name: 'endswith' });
    expect(hovered('attack.t1033')).toMatchObject({ kind: 'tag', title: 'System Owner/User Discovery' });
    expect(hovered('process_creation')).toMatchObject({
      kind: 'source',
      mapping: 'windows-process-creation',
    });
    expect(hovered('all of', 0)).toMatchObject({ kind: 'condition', name: 'all' });
    expect(hovered("'whoami.exe'", 3)).toBeNull();
  });

  it('[T-sigma-editor] never fails on half a text', () => {
    for (let at = 0; at <= RULE.length; at += 1) {
      expect(() => completeSigma(RULE.slice(0, at), at, ATTACK)).not.toThrow();
      expect(() => hoverSigma(RULE.slice(0, at), at, ATTACK)).not.toThrow();
    }
  });
});
