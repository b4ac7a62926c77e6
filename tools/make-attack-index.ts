// Makes content/attack/enterprise-attack.json, what Tyrian knows of ATT&CK (identifiers, names, numbers and relations, no
// prose), from a STIX bundle of MITRE: npm run attack-index -- enterprise-attack-18.1.json[.gz]. An installation loads a
// newer bundle so, and takes it up when it starts again.
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { ATTACK_NOTICE } from '../server/src/features/attack/attack-content.ts';
import { readStix } from '../server/src/features/attack/read-stix.ts';

const file = process.argv[2];
if (!file) throw new Error('usage: npm run attack-index -- STIX-FILE');
const bytes = readFileSync(file);
const bundle = JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));
const { version, ...lists } = readStix(bundle, /(\d+\.\d+)\.json/.exec(file)?.[1]);

// One record a line, so that a newer bundle shows as what it changed.
const parts = Object.entries(lists).map(([name, records]) => {
  const lines = records.map((record) => `    ${JSON.stringify(record)}`);
  return `  ${JSON.stringify(name)}: [${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n  `}]`;
});
const head = [`  "version": ${JSON.stringify(version)}`, `  "notice": ${JSON.stringify(ATTACK_NOTICE)}`];
const target = new URL('../content/attack/enterprise-attack.json', import.meta.url);
writeFileSync(target, `{\n${[...head, ...parts].join(',\n')}\n}\n`);
const counts = Object.entries(lists).map(([name, records]) => `${records.length} ${name}`);
console.log(`ATT&CK ${version}: ${counts.join(', ')}`);
