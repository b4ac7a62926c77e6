import { isJsonObject } from '../normalise/parse-json-record.ts';
import { splitLines } from './split-lines.ts';

// The body of Elasticsearch's `_bulk`: a line that names an action, then the document on the next line.

export type BulkItem =
  | {
      readonly kind: 'document';
      readonly action: 'index' | 'create';
      readonly index: string;
      readonly id?: string;
      readonly text: string;
    }
  | { readonly kind: 'refused'; readonly action: string; readonly index: string; readonly reason: string };

interface Action {
  readonly name: string;
  readonly index: string;
  readonly id?: string;
}

/** An action line names an index and an id; a longer one is none. */
const MAX_ACTION_CHARS = 16_384;

function readAction(line: string, pathIndex: string): Action | undefined {
  if (line.length > MAX_ACTION_CHARS) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const name = Object.keys(value)[0];
  if (name === undefined || !['index', 'create', 'update', 'delete'].includes(name)) return undefined;
  const options = isJsonObject(value[name]) ? value[name] : {};
  const index = typeof options._index === 'string' ? options._index : pathIndex;
  return typeof options._id === 'string' ? { name, index, id: options._id } : { name, index };
}

/**
 * Reads the items of a bulk body. Events are never changed or deleted, so `update` and `delete` are refused, each
 * on its own. A line that should name an action and does not is refused and skipped; the lines after it are read.
 */
export function* readBulkItems(text: string, pathIndex: string): Generator<BulkItem> {
  let action: Action | undefined;
  for (const line of splitLines(text)) {
    if (action !== undefined) {
      const { name, index, id } = action;
      action = undefined;
      if (name === 'update') {
        yield { kind: 'refused', action: name, index, reason: 'events cannot be updated' };
        continue;
      }
      const document = { kind: 'document', action: name as 'index' | 'create', index, text: line } as const;
      yield id === undefined ? document : { ...document, id };
      continue;
    }
    const read = readAction(line, pathIndex);
    if (read === undefined) {
      yield {
        kind: 'refused',
        action: 'index',
        index: pathIndex,
        reason: 'malformed action line: expected {"create": {}} or {"index": {}}',
      };
    } else if (read.name === 'delete') {
      yield { kind: 'refused', action: 'delete', index: read.index, reason: 'events cannot be deleted' };
    } else action = read;
  }
  if (action !== undefined) {
    yield {
      kind: 'refused',
      action: action.name,
      index: action.index,
      reason: 'the document is missing after its action line',
    };
  }
}
