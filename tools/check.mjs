// `npm run check`: everything that can be known without running the product. Each step says how long it took.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const node = process.execPath;
const steps = [
  ['types', ['node_modules/typescript7/bin/tsc', '-p', '.']],
  ['lint and format', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
  [
    'floors and import rings',
    [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      '--config',
      '.dependency-cruiser.mjs',
      '--output-type',
      'err-long',
      'packages',
      'server/src',
      'console/src',
    ],
  ],
  ['unused code', ['node_modules/knip/bin/knip.js', '--no-progress']],
  ['house rules', ['tools/check-house.mjs']],
  ['docs/api.md', ['--import', 'tsx', 'tools/write-api-list.ts', '--check']],
  ['docs/kql-coverage.md', ['--import', 'tsx', 'tools/write-kql-coverage.ts', '--check']],
  ['docs/native-extractors.md', ['--import', 'tsx', 'tools/write-extractor-list.ts', '--check']],
  ['docs/detections.md', ['--import', 'tsx', 'tools/write-detection-list.ts', '--check']],
];

let failed = 0;
for (const [name, args] of steps) {
  const started = Date.now();
  const { status } = spawnSync(node, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) failed += 1;
  console.log(
    `${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
  );
}
process.exitCode = failed === 0 ? 0 : 1;
