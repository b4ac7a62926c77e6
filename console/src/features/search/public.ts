// What other features use of Find: the editor, a run, a result, and the ways into the page.

export { DiagnosticList } from './diagnostic-list.tsx';
export { EmbeddedResult } from './embedded-result.tsx';
export { EventHistogram } from './event-histogram.tsx';
export { saveBlob } from './export-search-file.ts';
export { KqlEditor, type KqlEditorHandle } from './kql-editor.tsx';
export { kqlString } from './kql-literal.ts';
export { EMPTY_LINK, writeSearchLink } from './search-link.ts';
export { useSearchRun } from './use-search-run.ts';
