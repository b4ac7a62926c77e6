import protobuf from 'protobufjs';

// The messages of Loki's push (logproto.PushRequest).

const field = (id: number, type: string, rule?: 'repeated') => ({ id, type, ...(rule ? { rule } : {}) });

const root = protobuf.Root.fromJSON({
  nested: {
    PushRequest: { fields: { streams: field(1, 'Stream', 'repeated') } },
    Stream: { fields: { labels: field(1, 'string'), entries: field(2, 'Entry', 'repeated') } },
    Entry: {
      fields: {
        timestamp: field(1, 'Timestamp'),
        line: field(2, 'string'),
        structuredMetadata: field(3, 'LabelPair', 'repeated'),
      },
    },
    Timestamp: { fields: { seconds: field(1, 'int64'), nanos: field(2, 'int32') } },
    LabelPair: { fields: { name: field(1, 'string'), value: field(2, 'string') } },
  },
});

/** Reads a PushRequest into plain values. Throws for bytes that are none. */
export function readPushRequest(bytes: Uint8Array): Record<string, unknown> {
  return root.lookupType('PushRequest').decode(bytes) as unknown as Record<string, unknown>;
}

/** Writes a PushRequest. */
export function writePushRequest(request: Record<string, unknown>): Buffer {
  return Buffer.from(root.lookupType('PushRequest').encode(request).finish());
}
