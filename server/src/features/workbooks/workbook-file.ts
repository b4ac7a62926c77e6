import type { WorkbookDraft } from '@tyrian/contract';
import { stringify } from 'yaml';

/** A workbook as a YAML file that people can read, compare and keep. */
export function workbookFile(draft: WorkbookDraft): { readonly name: string; readonly text: string } {
  const plain = draft.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return { name: `${plain || 'workbook'}.yaml`, text: stringify(draft, { lineWidth: 110 }) };
}
