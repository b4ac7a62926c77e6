import { useNotesPanel } from './notes-panel-store.ts';

export function CaseNotesPanel({ mode }: { readonly mode: 'drawer' | 'page' }) {
  const { caseId } = useNotesPanel();
  return <aside data-mode={mode}>{caseId}</aside>;
}
