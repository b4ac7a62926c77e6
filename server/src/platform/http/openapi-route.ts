import { capabilityOf, type Endpoint } from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

// The description of every call that this server answers, made from the same values that bind them.

type Json = Record<string, unknown>;

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}

function pathParameters(endpoint: Endpoint): Json[] {
  return [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
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

/** The part of the path that says what a call is about: `cases` of `/:clusterId/api/cases/list`. */
function areaOf({ path }: Endpoint): string {
  const places = new Set(['lc', 'api', 'wrk', 'mgmt', 'core']);
  const words = path.split('/').filter((word) => word && !word.startsWith(':') && !places.has(word));
  return words[0] ?? 'users';
}

/** A session opens every call that is not public; a token with the capability named opens some. */
function securityOf(endpoint: Endpoint): Json {
  if (endpoint.access.kind === 'public') return {};
  const capability = capabilityOf(endpoint.id);
  return { security: [{ session: [] }, ...(capability ? [{ token: [capability] }] : [])] };
}

function operationOf(endpoint: Endpoint): Json {
  const input = schemaOf(endpoint.input, 'input');
  const inBody = endpoint.method === 'POST' || endpoint.method === 'PUT';
  const refused = { $ref: '#/components/responses/refused' };
  return {
    operationId: endpoint.id,
    tags: [areaOf(endpoint)],
    summary: endpoint.summary,
    description: accessOf(endpoint),
    parameters: [...pathParameters(endpoint), ...(inBody ? [] : queryParameters(input))],
    ...(inBody ? { requestBody: { content: { 'application/json': { schema: input } } } } : {}),
    ...securityOf(endpoint),
    responses: { '200': { description: 'success', content: answerOf(endpoint) }, default: refused },
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
    properties: { status: { enum: ['failed', 'invalid', 'error'] }, message: { type: 'string' }, data: {} },
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
      responses: {
        refused: {
          description: 'The envelope of a refusal',
          content: { 'application/json': { schema: refusal } },
        },
      },
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
