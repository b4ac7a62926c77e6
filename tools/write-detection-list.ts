// Writes docs/detections.md, the shipped detections by technique, from content/detections. With --check it only says
// whether the page is up to date.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { detectionsIn } from '../server/src/features/detections/rule-definition.ts';
import { attackIndex } from '../server/src/features/workbooks/attack-index.ts';
import { nativeDetections } from '../server/src/features/workbooks/native-content.ts';

const page = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'detections.md');
const index = attackIndex();
const nameOf = new Map(index.techniques.map(({ id, name }) => [id, name]));

/** One detection with the place that it has in ATT&CK. */
interface Line {
  readonly id: string;
  readonly name: string;
  readonly area: string;
  readonly tactic: string;
  /** The sub-technique where there is one, else the technique. */
  readonly technique: string;
  readonly samples: number;
}

const lines: readonly Line[] = nativeDetections().map(({ workbookId, draft, samples }) => {
  const signal = detectionsIn(draft.blocks)[0]?.signal.body;
  if (!signal) throw new Error(`${workbookId} has no signal block`);
  return {
    id: workbookId.replace(/^native-/, ''),
    name: draft.name,
    area: draft.directory.split('/')[1] ?? draft.directory,
    tactic: signal.tactic,
    technique: signal.sub_technique || signal.technique,
    samples: samples.length,
  };
});

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function section(tactic: string): string {
  const rows = lines
    .filter((line) => line.tactic === tactic)
    .sort((a, b) => byText(a.technique, b.technique) || byText(a.id, b.id))
    .map(
      ({ id, name, area, technique, samples }) =>
        `| ${technique} ${cell(nameOf.get(technique) ?? '')} | [${cell(name)}](../content/detections/${id}.yaml) | ${cell(area)} | ${samples} |`,
    );
  return [
    `## ${tactic}`,
    '',
    '| technique | detection | area | samples |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

const tactics = index.tactics
  .map(({ name }) => name)
  .filter((name) => lines.some((line) => line.tactic === name));
const techniques = new Set(lines.map((line) => line.technique.split('.')[0]));
const areas = [...new Set(lines.map((line) => line.area))].sort().map((area) => {
  const own = lines.filter((line) => line.area === area);
  return `| ${cell(area)} | ${own.length} | ${new Set(own.map((line) => line.technique.split('.')[0])).size} |`;
});

const text = `# The shipped detections

Written by \`npm run detection-list\` from \`content/detections\`: ${lines.length} detections for ${techniques.size} techniques of
ATT&CK ${index.version}. Each has samples that raise its signal and samples that must not, which a test runs on the engine;
[write-a-detection.md](write-a-detection.md) says how to write one.

| area | detections | techniques |
|---|---|---|
${areas.join('\n')}

${tactics.map(section).join('\n\n')}
`;

if (process.argv.includes('--check')) {
  if (!fs.existsSync(page) || fs.readFileSync(page, 'utf8') !== text) {
    console.error('docs/detections.md is stale: npm run detection-list');
    process.exitCode = 1;
  }
} else {
  fs.writeFileSync(page, text);
  console.log(`docs/detections.md: ${lines.length} detections, ${techniques.size} techniques`);
}
