import { readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import grpc from '@grpc/grpc-js';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Config } from '../../platform/config.ts';
import type { Logger } from '../../platform/log.ts';
import type { IngestSource } from '../sources/ingest-source.ts';
import type { SourceService } from '../sources/source-service.ts';
import type { IngestOutcome, IngestService, ReceivedBatch } from './ingest-service.ts';
import { writeExportResponse } from './otlp-messages.ts';
import { warningOf } from './otlp-warning.ts';
import type { BodyBudget, BodyLease, SenderLimits } from './sender-limits.ts';
import { listenForConnections, plainAddress, type SenderPort } from './sender-port.ts';
import { tokenOfHeader } from './sender-request.ts';

// OTLP logs over gRPC. The token is looked at when the metadata of a call is there, before its message is read; the
// message itself is read by a decoding thread, so that here it stays bytes.

/** The usual limit of gRPC, which batches of collectors keep to. Reserved before a message is read. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const MAX_STREAMS = 64;
/** How long calls under way may take when the server stops. */
const STOP_MS = 3_000;

export interface OtlpGrpcDeps {
  readonly config: Config;
  readonly ingest: IngestService;
  readonly sources: SourceService;
  readonly budget: BodyBudget;
  readonly limits: SenderLimits;
  readonly log: Logger;
}

interface OtlpGrpcParts extends OtlpGrpcDeps {
  server: grpc.Server | null;
  listening: SenderPort | null;
}

export interface OtlpGrpc {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The port once started; 0 when it could not be had. */
  port(): number;
}

interface Admission {
  readonly source: IngestSource;
  readonly address: string;
  readonly lease: BodyLease;
}

const admissions = new WeakMap<grpc.Metadata, Admission>();

type Refusal = Pick<grpc.StatusObject, 'code' | 'details'>;
const { status } = grpc;

const BUSY: Refusal = { code: status.UNAVAILABLE, details: 'the server is busy; try again later' };

export function createOtlpGrpc(deps: OtlpGrpcDeps): OtlpGrpc {
  const parts: OtlpGrpcParts = { ...deps, server: null, listening: null };
  return bindDeps(parts, { start, stop, port });
}

function addressOf(peer: string): string {
  return plainAddress(peer.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''));
}

/** The source of a call, with room for its message; else why it is refused. */
async function admit(
  { sources, budget }: OtlpGrpcParts,
  metadata: grpc.Metadata,
  address: string,
): Promise<Admission | Refusal> {
  const [header] = metadata.get('authorization');
  const token = header === undefined ? undefined : tokenOfHeader(String(header));
  const source = token ? await sources.findByToken(token) : null;
  if (source === null) {
    sources.refuse(token ? 'token-wrong' : 'token-missing', address);
    const details = token ? 'unknown token' : 'a token is required: authorization: Bearer <token>';
    return { code: status.UNAUTHENTICATED, details };
  }
  const count = (reason: string) => sources.count(source.clusterId, source.sourceId, { [reason]: 1 });
  if (!source.isScopeEnabled) {
    count('refused_scope-disabled');
    return { code: status.PERMISSION_DENIED, details: 'the scope of this token is disabled' };
  }
  const lease = budget.reserve(source.clusterId, MAX_MESSAGE_BYTES);
  if (lease !== null) return { source, address, lease };
  count('refused_busy');
  return BUSY;
}

/** Stands before every call: refuses it, or lets its message be read. */
function gateOf(parts: OtlpGrpcParts): grpc.ServerInterceptor {
  return (_method, call) => {
    let admission: Admission | undefined;
    const end = call.sendStatus.bind(call);
    // The library ends a call whose message is too large here too, past the interceptor.
    call.sendStatus = (said) => {
      admission?.lease.release();
      if (said.code === status.RESOURCE_EXHAUSTED && admission !== undefined) {
        const { clusterId, sourceId } = admission.source;
        parts.sources.count(clusterId, sourceId, { 'refused_too-large': 1 });
      }
      end(said);
    };
    const onMetadata = (metadata: grpc.Metadata, next: (metadata: grpc.Metadata) => void) => {
      admit(parts, metadata, addressOf(call.getPeer())).then(
        (answer) => {
          if ('code' in answer) {
            call.sendStatus({ ...answer });
            return;
          }
          admission = answer;
          admissions.set(metadata, answer);
          next(metadata);
        },
        () => call.sendStatus({ ...BUSY }),
      );
    };
    const listener = new grpc.ServerListenerBuilder()
      .withOnReceiveMetadata(onMetadata)
      .withOnCancel(() => admission?.lease.release())
      .build();
    const responder = new grpc.ResponderBuilder().withStart((next) => next(listener)).build();
    return new grpc.ServerInterceptingCall(call, responder);
  };
}

function refusalOf(outcome: IngestOutcome): Refusal | undefined {
  switch (outcome.kind) {
    case 'stored':
      return undefined;
    case 'fault':
      return { code: status.INVALID_ARGUMENT, details: outcome.fault.message };
    default:
      return { code: status.UNAVAILABLE, details: 'the same batch is being stored; ask again' };
  }
}

type ExportCall = grpc.ServerUnaryCall<Buffer, Buffer>;

async function exportLogs(
  { ingest, sources, log }: OtlpGrpcParts,
  call: ExportCall,
  answer: grpc.sendUnaryData<Buffer>,
): Promise<void> {
  const admission = admissions.get(call.metadata);
  if (admission === undefined) {
    answer({ code: status.INTERNAL, details: 'the call has not passed the gate' });
    return;
  }
  const { source, address } = admission;
  const { clusterId, scopeId, sourceId, sourceName } = source;
  let received: ReceivedBatch;
  try {
    received = await ingest.receive(
      { clusterId, scopeId, sourceId, sourceName, sourceAddress: address },
      { format: 'otlp-proto', body: call.request },
    );
  } catch (error) {
    sources.count(clusterId, sourceId, { refused_busy: 1 });
    log.warn({ err: (error as Error).message }, 'a batch of OTLP was not taken');
    answer(BUSY);
    return;
  }
  const { outcome } = received;
  const refusal = refusalOf(outcome);
  if (refusal !== undefined) answer(refusal);
  else if (outcome.kind === 'stored') answer(null, writeExportResponse(warningOf(outcome.report)));
  // A sender that has given up its call will send the same again.
  await received.answered(!call.cancelled).catch((error: Error) => {
    log.warn({ err: error.message }, 'the ledger could not be told of an answer');
  });
}

const asBytes = (bytes: Buffer) => bytes;

/** LogsService of opentelemetry.proto.collector.logs.v1; its messages are read and written in otlp-messages.ts. */
const LOGS_SERVICE: grpc.ServiceDefinition = {
  Export: {
    path: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
    requestStream: false,
    responseStream: false,
    requestSerialize: asBytes,
    requestDeserialize: asBytes,
    responseSerialize: asBytes,
    responseDeserialize: asBytes,
  },
};

function credentialsOf({ config }: OtlpGrpcParts): grpc.ServerCredentials {
  if (config.tls === undefined) return grpc.ServerCredentials.createInsecure();
  const pair = { cert_chain: readFileSync(config.tls.cert), private_key: readFileSync(config.tls.key) };
  return grpc.ServerCredentials.createSsl(null, [pair]);
}

async function start(parts: OtlpGrpcParts): Promise<void> {
  const { config, limits } = parts;
  const server = new grpc.Server({
    interceptors: [gateOf(parts)],
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_concurrent_streams': MAX_STREAMS,
    'grpc.max_connection_idle_ms': limits.syslogIdleMs,
  });
  server.addService(LOGS_SERVICE, {
    Export: (call: ExportCall, answer: grpc.sendUnaryData<Buffer>) => void exportLogs(parts, call, answer),
  });
  parts.server = server;
  const injector = server.createConnectionInjector(credentialsOf(parts));
  const ask = {
    bind: config.bind,
    port: config.otlpGrpcPort,
    variable: 'TYRIAN_OTLP_GRPC_PORT',
    what: 'OTLP over gRPC',
    onSocket: (socket: Duplex) => injector.injectConnection(socket),
  };
  parts.listening = await listenForConnections(ask, parts);
}

async function stop({ server, listening }: OtlpGrpcParts): Promise<void> {
  if (server === null) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, STOP_MS);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
  server.forceShutdown();
  listening?.close();
}

function port({ listening }: OtlpGrpcParts): number {
  return listening?.port ?? 0;
}
