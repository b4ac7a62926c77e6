import protobuf from 'protobufjs';

// The messages of OTLP logs (opentelemetry.proto.collector.logs.v1), as far as they are read. Parts that senders fill are
// declared as bytes and read one by one, so that one that cannot be read costs no other.

const field = (id: number, type: string, rule?: 'repeated') => ({ id, type, ...(rule ? { rule } : {}) });

const root = protobuf.Root.fromJSON({
  nested: {
    ExportLogsServiceRequest: { fields: { resourceLogs: field(1, 'ResourceLogs', 'repeated') } },
    ResourceLogs: {
      fields: {
        resource: field(1, 'bytes'),
        scopeLogs: field(2, 'ScopeLogs', 'repeated'),
        schemaUrl: field(3, 'string'),
      },
    },
    ScopeLogs: {
      fields: {
        scope: field(1, 'bytes'),
        logRecords: field(2, 'bytes', 'repeated'),
        schemaUrl: field(3, 'string'),
      },
    },
    Resource: { fields: { attributes: field(1, 'KeyValue', 'repeated') } },
    InstrumentationScope: {
      fields: {
        name: field(1, 'string'),
        version: field(2, 'string'),
        attributes: field(3, 'KeyValue', 'repeated'),
      },
    },
    LogRecord: {
      fields: {
        timeUnixNano: field(1, 'fixed64'),
        observedTimeUnixNano: field(11, 'fixed64'),
        severityNumber: field(2, 'int32'),
        severityText: field(3, 'string'),
        body: field(5, 'AnyValue'),
        attributes: field(6, 'KeyValue', 'repeated'),
        droppedAttributesCount: field(7, 'uint32'),
        flags: field(8, 'fixed32'),
        traceId: field(9, 'bytes'),
        spanId: field(10, 'bytes'),
        eventName: field(12, 'string'),
      },
    },
    KeyValue: { fields: { key: field(1, 'string'), value: field(2, 'AnyValue') } },
    AnyValue: {
      oneofs: {
        value: {
          oneof: [
            'stringValue',
            'boolValue',
            'intValue',
            'doubleValue',
            'arrayValue',
            'kvlistValue',
            'bytesValue',
          ],
        },
      },
      fields: {
        stringValue: field(1, 'string'),
        boolValue: field(2, 'bool'),
        intValue: field(3, 'int64'),
        doubleValue: field(4, 'double'),
        arrayValue: field(5, 'ArrayValue'),
        kvlistValue: field(6, 'KeyValueList'),
        bytesValue: field(7, 'bytes'),
      },
    },
    ArrayValue: { fields: { values: field(1, 'AnyValue', 'repeated') } },
    KeyValueList: { fields: { values: field(1, 'KeyValue', 'repeated') } },
    ExportLogsServiceResponse: { fields: { partialSuccess: field(1, 'ExportLogsPartialSuccess') } },
    ExportLogsPartialSuccess: {
      fields: { rejectedLogRecords: field(1, 'int64'), errorMessage: field(2, 'string') },
    },
    Status: { fields: { code: field(1, 'int32'), message: field(2, 'string') } },
  },
});

export type OtlpMessage =
  | 'ExportLogsServiceRequest'
  | 'Resource'
  | 'InstrumentationScope'
  | 'LogRecord'
  | 'ExportLogsServiceResponse'
  | 'Status';

/** Reads a message into plain values. Throws for bytes that are none. */
export function readOtlpMessage(name: OtlpMessage, bytes: Uint8Array): Record<string, unknown> {
  return root.lookupType(name).decode(bytes) as unknown as Record<string, unknown>;
}

/** Writes a message. */
export function writeOtlpMessage(name: OtlpMessage, value: Record<string, unknown>): Buffer {
  return Buffer.from(root.lookupType(name).encode(value).finish());
}

/** Why records were not stored as their sender meant; absent when all were. */
export interface PartialSuccess {
  readonly rejectedLogRecords: number;
  readonly errorMessage: string;
}

/** The answer to an export, as bytes of protobuf. */
export function writeExportResponse(partialSuccess: PartialSuccess | undefined): Buffer {
  return writeOtlpMessage('ExportLogsServiceResponse', partialSuccess ? { partialSuccess } : {});
}
