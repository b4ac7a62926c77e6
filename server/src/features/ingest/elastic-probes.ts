import type { FastifyInstance } from 'fastify';
import { SENDER_ROUTE } from './sender-request.ts';

// The questions that Beats, Logstash, Vector, Fluent Bit and the official clients ask before they send, with fixed answers.
// Templates, policies, pipelines, aliases and data streams are taken for set up: events are normalised here.

/** The version that senders are told; they refuse servers that are older than themselves. */
const ELASTIC_VERSION = '8.17.0';

/** `GET /`: what the versions of clients check. */
const ABOUT = {
  name: 'tyrian',
  cluster_name: 'tyrian',
  cluster_uuid: 'tyrian',
  version: {
    number: ELASTIC_VERSION,
    build_flavor: 'default',
    build_type: 'tar',
    lucene_version: '9.12.0',
    minimum_wire_compatibility_version: '7.17.0',
    minimum_index_compatibility_version: '7.0.0',
  },
  tagline: 'You Know, for Search',
};

const LICENSE = { uid: 'tyrian', type: 'basic', mode: 'basic', status: 'active' };
const ON = { available: true, enabled: true };
const HEALTH = {
  cluster_name: 'tyrian',
  status: 'green',
  timed_out: false,
  number_of_nodes: 1,
  number_of_data_nodes: 1,
  active_primary_shards: 1,
  active_shards: 1,
};
const NODES = { total: 1, successful: 1, failed: 0 };

/** Addresses of nodes are not told: whoever sniffs stays with the one that it has. */
const FIXED: readonly (readonly [string, unknown])[] = [
  ['/', ABOUT],
  ['/_license', { license: LICENSE }],
  ['/_xpack', { build: {}, license: LICENSE, features: { ilm: ON, security: ON, monitoring: ON } }],
  ['/_cluster/health', HEALTH],
  ['/_cluster/health/:index', HEALTH],
  ['/_cluster/settings', { persistent: {}, transient: {} }],
  ['/_nodes', { _nodes: NODES, cluster_name: 'tyrian', nodes: {} }],
  ['/_nodes/http', { _nodes: NODES, cluster_name: 'tyrian', nodes: {} }],
  ['/_nodes/_all/http', { _nodes: NODES, cluster_name: 'tyrian', nodes: {} }],
  ['/_nodes/ingest', { _nodes: NODES, cluster_name: 'tyrian', nodes: {} }],
  ['/_ingest/pipeline', {}],
  ['/_ilm/policy', {}],
];

/** Things that are there whatever their name, and can be put. */
const SET_UP: readonly (readonly [string, (name: string) => unknown])[] = [
  ['/_index_template/:name', (name) => ({ index_templates: [{ name, index_template: {} }] })],
  ['/_component_template/:name', (name) => ({ component_templates: [{ name, component_template: {} }] })],
  ['/_template/:name', (name) => ({ [name]: {} })],
  ['/_ingest/pipeline/:name', (name) => ({ [name]: {} })],
  ['/_ilm/policy/:name', (name) => ({ [name]: { version: 1, policy: { phases: {} } } })],
  ['/_data_stream/:name', (name) => ({ data_streams: [{ name, status: 'GREEN', indices: [] }] })],
  ['/_alias/:name', (name) => ({ [name]: { aliases: { [name]: { is_write_index: true } } } })],
];

/** Binds the questions in the context of `_bulk`, behind its gate. */
export function registerElasticProbes(elastic: FastifyInstance): void {
  const probe = (url: string, answer: (name: string) => unknown) =>
    elastic.route({
      method: ['GET', 'HEAD'],
      url,
      ...SENDER_ROUTE,
      handler: async (request, reply) => reply.send(answer((request.params as { name?: string }).name ?? '')),
    });
  for (const [url, data] of FIXED) probe(url, () => data);
  for (const [url, answer] of SET_UP) {
    probe(url, answer);
    elastic.put(url, SENDER_ROUTE, async (_request, reply) => reply.send({ acknowledged: true }));
  }
  // An index is there, or made, whatever its name.
  elastic.head('/:index', SENDER_ROUTE, async (_request, reply) => reply.send());
  elastic.put('/:index', SENDER_ROUTE, async (request, reply) => {
    const { index } = request.params as { index: string };
    return reply.send({ acknowledged: true, shards_acknowledged: true, index });
  });
}
