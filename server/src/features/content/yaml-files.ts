import { say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import type { ArchiveEntry } from '../rules/archive-entry.ts';

// Several files as one YAML text: each begins with a mark of a document that names it in a comment, so that the text is
// YAML of several documents to everybody else.

const MARK = /^--- # file(, without its last line break)?: (.+)$/gm;
const OPEN = ', without its last line break';

interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Throws AppError `conflict` when a text holds a line that would part it. */
export function yamlOfFiles(files: readonly TextFile[]): string {
  return files
    .map(({ path, text }) => {
      if (text.search(MARK) >= 0) throw new AppError('conflict', say('content.yamlMarker'));
      const isOpen = !text.endsWith('\n');
      return `--- # file${isOpen ? OPEN : ''}: ${path}\n${text}${isOpen ? '\n' : ''}`;
    })
    .join('');
}

/** The files of a YAML text; a text without marks is one file of the given name. */
export function* filesOfYaml(bytes: Buffer, name: string): Generator<ArchiveEntry> {
  // Byte for byte, so that what is no UTF-8 is found in the file that holds it.
  const text = bytes.toString('latin1');
  const marks = [...text.matchAll(MARK)];
  const before = bytes.subarray(0, marks[0]?.index ?? bytes.length);
  if (marks.length === 0 || before.toString('latin1').trim() !== '')
    yield { path: name, kind: 'file', size: before.length, content: () => before };
  for (const [at, mark] of marks.entries()) {
    const from = mark.index + mark[0].length + 1;
    const to = (marks[at + 1]?.index ?? bytes.length) - (mark[1] === undefined ? 0 : 1);
    const content = bytes.subarray(from, Math.max(from, to));
    const path = Buffer.from(mark[2] ?? '', 'latin1').toString('utf8');
    yield { path, kind: 'file', size: content.length, content: () => content };
  }
}
