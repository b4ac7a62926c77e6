// Writes docs/native-extractors.md, the shipped extractors with what their samples come to, from content/extractors.
// With --check it only says whether the page is up to date.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileExtractors, decodeText, type LogHeads } from '@tyrian/ingest';
import { type ContentExtractor, contentExtractors } from './content-extractors.ts';

const page = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', 'docs', 'native-extractors.md');
const all = contentExtractors();
const extractors = compileExtractors(all);
/** The year that times without one belong to. */
const NOW = Date.UTC(2026, 0, 6);
const cell = (text: string): string => text.replaceAll('|', '\\|');

function row({ id, name, file, extractor, samples }: ContentExtractor): string {
  const heads: LogHeads = new Map();
  const events = samples.map((sample) => decodeText(sample, NOW, { extractors, heads }));
  const parsed = events.filter(({ extractorId, status }) => extractorId === id && status === 'PAD').length;
  const columns = new Set(events.flatMap((event) => Object.keys(event.columns)));
  const by = extractor.builtIn.length > 0 ? 'built in' : 'YAML';
  const percent = Math.round((100 * parsed) / events.length);
  return `| ${id} | [${name}](../content/extractors/${file}) | ${cell(extractor.sourceType)} | ${cell(extractor.description)} | ${by} | ${events.length} | ${percent} % | ${columns.size} |`;
}

const text = `# Native extractors

${all.length} extractors come with Tyrian. They are read-only; a clone of one can be changed. Those that say *built in* name a decoder
in TypeScript, and add to what it makes. The samples are ours, in \`content/extractor-samples\`, written as the source writes
them; a test holds what each becomes. This page is written by \`npm run extractor-list\`.

| no. | source | type | what | read by | sample lines | parsed | columns filled |
|---|---|---|---|---|---|---|---|
${all.map(row).join('\n')}
`;

if (process.argv.includes('--check')) {
  if (!fs.existsSync(page) || fs.readFileSync(page, 'utf8') !== text) {
    console.error('docs/native-extractors.md is out of date: run npm run extractor-list');
    process.exitCode = 1;
  }
} else fs.writeFileSync(page, text);
