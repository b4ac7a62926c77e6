import {
  classifyKql,
  completeKql,
  diagnoseKql,
  eventSchema,
  formatKql,
  hoverKql,
  type KqlSchema,
} from '@tyrian/kql';
import type {
  KqlAnswers,
  KqlWorkerAnswer,
  KqlWorkerMessage,
  KqlWorkerRequest,
} from './kql-worker-protocol.ts';

// The language service runs here, away from typing. The first answer pays for loading it; the schema is rebuilt
// only when the tenant's fields change.

let schema: KqlSchema = eventSchema([]);

function answerTo(request: KqlWorkerRequest): KqlAnswers[keyof KqlAnswers] {
  switch (request.kind) {
    case 'schema':
      schema = eventSchema([...request.extFields]);
      return null;
    case 'complete':
      return completeKql(request.text, request.position, schema);
    case 'classify':
      return classifyKql(request.text, schema);
    case 'diagnose':
      return diagnoseKql(request.text, schema, new Date());
    case 'hover':
      return hoverKql(request.text, request.position, schema);
    case 'format':
      return formatKql(request.text, schema);
  }
}

function answer({ id, request }: KqlWorkerMessage): KqlWorkerAnswer {
  try {
    return { id, ok: true, answer: answerTo(request) };
  } catch (error) {
    return { id, ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

self.addEventListener('message', (event: MessageEvent<KqlWorkerMessage>) => {
  self.postMessage(answer(event.data));
});
