import { capabilityOf, type Endpoint, REFUSAL_CODES } from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { INPUT_LIMITS } from './input-limits.ts';

// The description of every call that this server answers, made from the same values that bind them.

type Json = Record<string, unknown>;

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}

const L = INPUT_LIMITS;
/** The refusals that any call may answer, by HTTP status. */
const REFUSALS: Readonly<Record<string, string>> = {
  401: 'There is no session, or it has ended.',
  403: 'The caller may not make this call here, or what it names is out of reach.',
  404: 'What the call names does not exist for the caller.',
  409: 'This does not agree with what is kept: a name is taken, or somebody else changed it first.',
  413: `The body is larger than ${L.bodyBytes} bytes (${L.workbookBodyBytes} for a whole workbook).`,
  422: `The input is refused; message and data name the field. Beside the bounds of the schema, any input is nested at most ${L.depth} deep, has at most ${L.values} values, texts of at most ${L.textLength} and names of at most ${L.nameLength} characters, at most ${L.queryParameters} query parameters, and no text with U+0000 or half of a surrogate pair.`,
  429: `Too many calls, sign-ins, searches or mails at once; the message says when to try again. One address may make ${L.callsPerMinute} calls a minute, fewer of some kinds.`,
  503: 'An engine or a server outside does not answer; try again after the seconds in Retry-After.',
};

/** References to the refusals, by HTTP status. */
const REFUSED = Object.fromEntries(
  Object.keys(REFUSALS).map((http) => [http, { $ref: `#/components/responses/refused${http}` }]),
);

function pathParameters(endpoint: Endpoint): Json[] {
  return [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', maxLength: L.pathParameterLength },
  }));
}

function queryParameters(input: Json): Json[] {
  const properties = (input.properties ?? {}) as Record<string, unknown>;
  const required = new Set((input.required ?? []) as string[]);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.has(name),
    schema,
  }));
}

function answerOf(endpoint: Endpoint): Json {
  if (endpoint.answer === 'blob') return { 'application/octet-stream': {} };
  if (endpoint.answer === 'sse') return { 'text/event-stream': {} };
  const data = schemaOf(endpoint.output, 'output');
  const envelope = {
    type: 'object',
    required: ['status', 'message', 'data'],
    properties: { status: { const: 'success' }, message: { type: 'string' }, data },
  };
  return { 'application/json': { schema: endpoint.answer === 'flat' ? data : envelope } };
}

/** Who may call, in a sentence. */
function accessOf({ access }: Endpoint): string {
  if (access.kind === 'public') return 'Open to everybody.';
  if (access.kind === 'session') return 'Needs a session.';
  const products = access.productTypes ? ` Product types: ${access.productTypes.join(', ')}.` : '';
  return `Needs one of ${access.tags.join(', ')} (${access.in}).${products}`;
}

/** What a call is about: `cases` of `cases.list`. */
const areaOf = ({ name }: Endpoint): string => name.slice(0, name.indexOf('.'));

/** A session opens every call that is not public; a token with the capability named opens some. */
function securityOf(endpoint: Endpoint): Json {
  if (endpoint.access.kind === 'public') return {};
  const capability = capabilityOf(endpoint.name);
  return { security: [{ session: [] }, ...(capability ? [{ token: [capability] }] : [])] };
}

function operationOf(endpoint: Endpoint): Json {
  const input = schemaOf(endpoint.input, 'input');
  const inBody = endpoint.method === 'POST' || endpoint.method === 'PUT';
  return {
    operationId: endpoint.name,
    tags: [areaOf(endpoint)],
    ...(endpoint.requirement ? { 'x-requirement': endpoint.requirement } : {}),
    summary: endpoint.summary,
    description: accessOf(endpoint),
    parameters: [...pathParameters(endpoint), ...(inBody ? [] : queryParameters(input))],
    ...(inBody ? { requestBody: { content: { 'application/json': { schema: input } } } } : {}),
    ...securityOf(endpoint),
    responses: { '200': { description: 'success', content: answerOf(endpoint) }, ...REFUSED },
  };
}

/** The OpenAPI 3.1 document of the endpoints. */
function describeEndpoints(endpoints: readonly Endpoint[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  const refusal = {
    type: 'object',
    properties: {
      status: { enum: ['failed', 'invalid', 'error'] },
      message: { type: 'string', description: 'English; may be reworded.' },
      data: {},
      code: { enum: REFUSAL_CODES },
      messageCode: {
        type: 'string',
        description: 'By which a screen translates the message, e.g. `cases.closed`.',
      },
      messageValues: {
        type: 'object',
        description:
          'The values in the message: texts, numbers, or parts `{code, values, text}` to translate too.',
        additionalProperties: true,
      },
    },
  };
  return {
    openapi: '3.1.0',
    info: { title: 'Tyrian', version },
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'header',
          name: 'SSID',
          description: 'The session id that signing in answers.',
        },
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Token',
          description: 'A token of Manage Tokens: one scope, the capabilities named at each call, an expiry.',
        },
      },
      responses: Object.fromEntries(
        Object.entries(REFUSALS).map(([http, description]) => [
          `refused${http}`,
          { description, content: { 'application/json': { schema: refusal } } },
        ]),
      ),
    },
  };
}

/** `GET /openapi.json`. Made at the first request, after every feature has bound its calls. */
export function openapiRoute(app: FastifyInstance, version: string): void {
  let document: Json | undefined;
  app.get('/openapi.json', (_request, reply) => {
    document ??= describeEndpoints(app.boundEndpoints, version);
    return reply.send(document);
  });
}
