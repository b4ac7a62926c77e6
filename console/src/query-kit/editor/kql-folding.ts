import { foldService } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { readStatements } from './kql-statements.ts';

/** A statement of several lines folds to its first line. */
export const kqlFolding = (): Extension =>
  foldService.of((state, from, to) => {
    const statement = readStatements(state.doc.toString()).find(({ start }) => start >= from && start <= to);
    return statement && statement.end > to ? { from: to, to: statement.end } : null;
  });
