import { describe, expect, it } from 'vitest';
import { attackKnowledge } from './attack-content.ts';
import { readStix } from './read-stix.ts';

const ref = (external_id: string) => ({
  external_references: [{ source_name: 'mitre-attack', external_id, url: 'https://attack.mitre.org' }],
});
const relation = (relationship_type: string, source_ref: string, target_ref: string) => ({
  ...{ type: 'relationship', id: `relationship--${source_ref}${target_ref}`, relationship_type },
  ...{ source_ref, target_ref, description: 'Prose that is not taken.' },
});
const technique = (name: string, id: string, more: object = {}) => ({
  ...{ type: 'attack-pattern', id: `attack-pattern--${name}`, name, description: 'Prose.', ...ref(id) },
  kill_chain_phases: [{ kill_chain_name: 'mitre-attack', phase_name: 'execution' }],
  x_mitre_platforms: ['Windows', 'Linux'],
  ...more,
});
const BUNDLE = {
  type: 'bundle',
  id: 'bundle--1',
  objects: [
    { type: 'x-mitre-matrix', id: 'x-mitre-matrix--1', tactic_refs: ['x-mitre-tactic--1'] },
    {
      type: 'x-mitre-tactic',
      id: 'x-mitre-tactic--1',
      name: 'Execution',
      x_mitre_shortname: 'execution',
      ...ref('TA0002'),
    },
    technique('new', 'T1059.001'),
    technique('old', 'T1086', { revoked: true }),
    technique('gone', 'T1064', { x_mitre_deprecated: true }),
    {
      type: 'intrusion-set',
      id: 'intrusion-set--1',
      name: 'APT0',
      aliases: ['APT0', 'The Zero'],
      ...ref('G0001'),
    },
    { type: 'intrusion-set', id: 'intrusion-set--2', name: 'Gone', revoked: true, ...ref('G0002') },
    {
      type: 'campaign',
      id: 'campaign--1',
      name: 'Op',
      first_seen: '2019-09-01T04:00:00.000Z',
      ...ref('C0001'),
    },
    { type: 'malware', id: 'malware--1', name: 'Tooly', x_mitre_aliases: ['Tooly', 'Tl'], ...ref('S0001') },
    relation('revoked-by', 'attack-pattern--old', 'attack-pattern--new'),
    relation('uses', 'intrusion-set--1', 'attack-pattern--old'),
    relation('uses', 'intrusion-set--1', 'attack-pattern--gone'),
    relation('uses', 'intrusion-set--1', 'malware--1'),
    relation('attributed-to', 'campaign--1', 'intrusion-set--1'),
    relation('uses', 'campaign--1', 'attack-pattern--new'),
  ],
};

describe('a STIX bundle of ATT&CK', () => {
  it('[S2-59] gives identifiers, names and relations, and follows what was revoked', () => {
    expect(readStix(BUNDLE, '99.1')).toEqual({
      version: '99.1',
      tactics: [{ id: 'TA0002', key: 'execution', name: 'Execution' }],
      techniques: [{ id: 'T1059.001', name: 'new', tactics: ['Execution'], platforms: ['Linux', 'Windows'] }],
      groups: [
        { id: 'G0001', name: 'APT0', aliases: ['The Zero'], techniques: ['T1059.001'], software: ['S0001'] },
      ],
      campaigns: [
        {
          ...{ id: 'C0001', name: 'Op', aliases: [], techniques: ['T1059.001'], software: [] },
          ...{ first_seen: '2019-09-01', last_seen: '', groups: ['G0001'] },
        },
      ],
      software: [{ id: 'S0001', name: 'Tooly', aliases: ['Tl'], techniques: [] }],
    });
  });

  it('[S2-59] is refused when it is no bundle, or holds no matrix', () => {
    expect(() => readStix({ objects: [] })).toThrow();
    expect(() => readStix({ type: 'bundle', objects: [] })).toThrow('no matrix');
  });

  it('[S2-59] of MITRE stands in content/attack without prose', () => {
    const { tactics, techniques, groups, campaigns, actors } = attackKnowledge();
    expect([tactics.length, techniques.length]).toEqual([14, 691]);
    expect(groups.length + campaigns.length).toBe(actors.size);
    expect(actors.get('G0016')?.techniques.length).toBeGreaterThan(20);
    const known = new Set(techniques.map(({ id }) => id));
    expect([...actors.values()].flatMap((one) => one.techniques.filter((id) => !known.has(id)))).toEqual([]);
  });
});
