import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const IGNORED = new Set(['node_modules', 'dist', 'data', '.git', '.tmp', 'coverage']);

/** Files of the project relative to `root`: what git knows or would add; without git, a walk of the tree. */
export function trackedFiles(root) {
  try {
    const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return [...new Set(listed.split('\n').filter(Boolean))].filter((file) =>
      fs.existsSync(path.join(root, file)),
    );
  } catch {
    return walk(root, '');
  }
}

function walk(root, folder) {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const relative = path.posix.join(folder, entry.name);
    if (IGNORED.has(entry.name)) return [];
    return entry.isDirectory() ? walk(root, relative) : [relative];
  });
}
