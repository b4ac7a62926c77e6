// What other features use of Find: the editor, a run, a result, and the ways into the page.

export { DiagnosticList } from './diagnostic-list.tsx';
export { EmbeddedResults } from './embedded-results.tsx';
export { EventHistogram } from './event-histogram.tsx';
export { saveBlob } from './export-search-file.ts';
export { type Branch, branchesIn, branchesOf } from './kql-branches.ts';
export { KqlEditor, type KqlEditorHandle } from './kql-editor.tsx';
export { kqlString } from './kql-literal.ts';
export { RunButton } from './run-button.tsx';
export { EMPTY_LINK, writeSearchLink } from './search-link.ts';
export { diagnosticsIn } from './server-diagnostics.ts';
export { useSearchRuns } from './use-search-runs.ts';
