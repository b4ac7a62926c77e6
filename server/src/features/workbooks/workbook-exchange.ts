import { type ContentItem, codedText, type ItemState, say, type WorkbookDraft } from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import { inOrder } from './draft-parts.ts';
import { readWorkbookFile, workbookFile } from './workbook-file.ts';
import type { CallScope } from './workbook-rights.ts';
import { check, inTenant, type WorkbooksParts } from './workbook-saving.ts';
import { draftOf, findWorkbook, findWorkbookNamed } from './workbook-store.ts';
import { isEditable } from './workbook-view.ts';

// Workbooks as files of an archive: many out at once, and what one that comes in would do.

export interface WorkbookText {
  readonly ID: string;
  readonly directory: string;
  readonly fileName: string;
  readonly text: string;
  readonly name: string;
}

/** What the file of a workbook would do in a scope. */
export interface WorkbookPreview {
  readonly state: ItemState;
  readonly name: string;
  readonly existing: { readonly ID: string; readonly version: number } | null;
  readonly problem: ContentItem['problem'];
}

/** Workbooks of a scope as files, in the order asked for. Throws AppError `not-found`. */
export function textsOf(
  parts: WorkbooksParts,
  scope: CallScope,
  ids: readonly string[],
): Promise<readonly WorkbookText[]> {
  const { clusterId, scopeId } = scope;
  return inTenant(parts, scope, async (trx) => {
    const texts: WorkbookText[] = [];
    for (const ID of new Set(ids)) {
      const row = await findWorkbook(trx, clusterId, scopeId, ID);
      if (!row) throw notFound();
      const { name: fileName, text } = workbookFile(inOrder(draftOf(row)));
      texts.push({ ID, directory: row.directory, fileName, text, name: row.name });
    }
    return texts;
  });
}

const isSame = (one: WorkbookDraft, other: WorkbookDraft): boolean =>
  JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));

interface FileProblems {
  readonly problems?: readonly { readonly line?: number }[];
}

function refusedFile(error: AppError): WorkbookPreview {
  const line = (error.details as FileProblems | undefined)?.problems?.[0]?.line ?? null;
  return { state: 'invalid', name: '', existing: null, problem: { ...codedText(error.said), line } };
}

/** Reads and checks the text as saving it would; nothing is written. */
export async function previewText(
  parts: WorkbooksParts,
  scope: CallScope,
  text: string,
): Promise<WorkbookPreview> {
  let draft: WorkbookDraft;
  try {
    draft = readWorkbookFile(text);
  } catch (error) {
    if (error instanceof AppError) return refusedFile(error);
    throw error;
  }
  const { name } = draft;
  const { clusterId, scopeId, caller } = scope;
  const found = await inTenant(parts, scope, async (trx) => {
    const namesake = await findWorkbookNamed(trx, clusterId, scopeId, name);
    return namesake && findWorkbook(trx, clusterId, scopeId, namesake.workbook_id);
  });
  const existing = found ? { ID: found.workbook_id, version: found.version } : null;
  if (found && isSame(draftOf(found), draft)) return { state: 'same', name, existing, problem: null };
  const { problems } = await check(parts, scope, draft);
  const error = problems.find(({ severity }) => severity === 'error');
  if (error) {
    const { message, messageCode, messageValues } = error;
    const coded = messageCode === undefined ? {} : { messageCode, messageValues };
    return { state: 'invalid', name, existing, problem: { message, ...coded, line: null } };
  }
  if (!found) return { state: 'new', name, existing, problem: null };
  if (isEditable(caller, found, scopeId)) return { state: 'changed', name, existing, problem: null };
  const said = found.native
    ? say('workbooks.builtIn')
    : say('workbooks.lockedBy', { name: found.locked_by ?? '' });
  return { state: 'clash', name, existing, problem: { ...codedText(said), line: null } };
}
