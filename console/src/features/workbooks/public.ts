// What other features use of workbooks.

export { diffLines, foldDiff } from './line-diff.ts';
export { MarkdownView } from './markdown-view.tsx';
export { SaveSearchButton } from './save-search-button.tsx';
export { useTechniqueNames } from './use-technique-names.ts';
export { useWorkbookPaths } from './workbook-links.ts';
