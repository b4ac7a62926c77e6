// Makes content/attack/enterprise-attack.json, the index of ATT&CK tactics and techniques (identifiers and names
// only), from the STIX bundle of MITRE: node tools/make-attack-index.mjs enterprise-attack-18.1.json[.gz]
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const file = process.argv[2];
if (!file) throw new Error('usage: node tools/make-attack-index.mjs STIX-FILE');
const bytes = readFileSync(file);
const { objects } = JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));

const idOf = (object) =>
  object.external_references?.find((ref) => ref.source_name === 'mitre-attack')?.external_id;
const alive = (object) => !object.revoked && !object.x_mitre_deprecated;
const byType = (type) => objects.filter((object) => object.type === type && alive(object));

const matrix = byType('x-mitre-matrix')[0];
const tacticsByRef = new Map(byType('x-mitre-tactic').map((tactic) => [tactic.id, tactic]));
const tactics = matrix.tactic_refs
  .map((ref) => tacticsByRef.get(ref))
  .map((tactic) => ({ id: idOf(tactic), key: tactic.x_mitre_shortname, name: tactic.name }));
const nameOfKey = new Map(tactics.map((tactic) => [tactic.key, tactic.name]));
const techniques = byType('attack-pattern')
  .map((technique) => ({
    id: idOf(technique),
    name: technique.name,
    tactics: technique.kill_chain_phases.map((phase) => nameOfKey.get(phase.phase_name)),
  }))
  .sort((a, b) => (a.id < b.id ? -1 : 1));
const version =
  byType('x-mitre-collection')[0]?.x_mitre_version ?? /(\d+\.\d+)\.json/.exec(file)?.[1] ?? 'unknown';

const lines = [
  '{',
  `  "version": ${JSON.stringify(version)},`,
  `  "notice": ${JSON.stringify('Identifiers and names from MITRE ATT&CK®, © The MITRE Corporation. This work is reproduced and distributed with the permission of The MITRE Corporation.')},`,
  '  "tactics": [',
  tactics.map((tactic) => `    ${JSON.stringify(tactic)}`).join(',\n'),
  '  ],',
  '  "techniques": [',
  techniques.map((technique) => `    ${JSON.stringify(technique)}`).join(',\n'),
  '  ]',
  '}',
];
writeFileSync(new URL('../content/attack/enterprise-attack.json', import.meta.url), `${lines.join('\n')}\n`);
console.log(`ATT&CK ${version}: ${tactics.length} tactics, ${techniques.length} techniques`);
