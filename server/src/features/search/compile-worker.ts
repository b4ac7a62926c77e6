import { parentPort } from 'node:worker_threads';
import { checkFunction, compileKql, eventSchema, type KqlSchema, schemaFound } from '@tyrian/kql';
import type { CompileWorkerReady } from './compile-workers.ts';
import type { CompileAnswer, CompileRequest } from './kql-compiler.ts';

// Runs in a worker thread: the Kusto parser is synchronous, and one odd query must not hold up the server.

const SCHEMAS_KEPT = 32;
const schemas = new Map<string, KqlSchema>();

function schemaOf(request: CompileRequest): KqlSchema {
  let schema = schemas.get(request.schemaVersion);
  schemas.delete(request.schemaVersion);
  schema ??= eventSchema([...request.extFields], undefined, request.functions, request.catalog);
  schemas.set(request.schemaVersion, schema);
  const oldest = schemas.keys().next();
  if (schemas.size > SCHEMAS_KEPT && !oldest.done) schemas.delete(oldest.value);
  return schema;
}

function answer(request: CompileRequest): CompileAnswer {
  try {
    const { id, answered } = request;
    if (answered) return { id, columns: schemaFound(answered.question, answered.rows) };
    const schema = schemaOf(request);
    const { nowMs, unknownColumns, pluginSchemas, several, reach } = request;
    const asked = { schema, now: new Date(nowMs), unknownColumns, pluginSchemas, several };
    const options = reach ? { ...asked, reach } : asked;
    if (request.check) return { id, check: checkFunction(request.check, options) };
    return { id, result: compileKql(request.text, options) };
  } catch (error) {
    return { id: request.id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

// The first compile builds the table of built-in functions, which takes most of a second.
compileKql('print 1', { schema: eventSchema([]), now: new Date(0), unknownColumns: 'warn' });
parentPort?.on('message', (request: CompileRequest) => parentPort?.postMessage(answer(request)));
parentPort?.postMessage({ ready: true } satisfies CompileWorkerReady);
