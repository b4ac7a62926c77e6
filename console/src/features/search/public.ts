// What other features use of Find: the editor, a run, a result, and the ways into the page.

export { DiagnosticList } from './diagnostic-list.tsx';
export { EmbeddedResults } from './embedded-results.tsx';
export { EventHistogram } from './event-histogram.tsx';
export { saveBlob } from './export-search-file.ts';
export { eventsWith, findPath } from './find-path.ts';
export { type Branch, branchesIn, branchesOf } from './kql-branches.ts';
export { KqlEditor, type KqlEditorHandle } from './kql-editor.tsx';
export { kqlName, kqlString } from './kql-literal.ts';
export { valueText } from './result-value.ts';
export { RowDetail } from './row-detail.tsx';
export { RunButton } from './run-button.tsx';
export { EMPTY_LINK, writeSearchLink } from './search-link.ts';
export { diagnosticsIn } from './server-diagnostics.ts';
export { useSearchRuns } from './use-search-runs.ts';
export { type OpenMenu, ValueMenu } from './value-menu.tsx';
export type { ValueTarget } from './value-target.ts';
