import { type SyslogMessageBytes, takeSyslogToken } from '@tyrian/ingest';
import type { IngestSource } from '../sources/ingest-source.ts';
import type { SourceService } from '../sources/source-service.ts';

// Whose a message of syslog is. A token in the message says it; else the client certificate of its connection; else the
// address it comes from. A wrong token or certificate is refused, also where the address alone would have been enough.

export interface SyslogSender {
  readonly address: string;
  /** Fingerprint and common name of the client certificate; absent without one. */
  readonly certificate?: readonly string[];
}

export interface RoutedMessage {
  readonly source: IngestSource;
  readonly message: SyslogMessageBytes;
}

export interface SyslogSenders {
  /** True when address or certificate belong to a source, so that messages need no token. */
  knows(sender: SyslogSender): Promise<boolean>;
  /** Messages with the sources that they belong to; the others are counted as refused. */
  route(sender: SyslogSender, messages: readonly SyslogMessageBytes[]): Promise<RoutedMessage[]>;
}

export function createSyslogSenders(sources: SourceService): SyslogSenders {
  /** The source of the connection or address, and why there is none. */
  const withoutToken = async ({ address, certificate }: SyslogSender) =>
    certificate === undefined
      ? { source: await sources.findBySender(address), refusal: 'unknown-syslog-sender' }
      : { source: await sources.findByCertificate(certificate), refusal: 'unknown-syslog-certificate' };

  return {
    knows: async (sender) => (await withoutToken(sender)).source !== null,
    route: async (sender, messages) => {
      const routed: RoutedMessage[] = [];
      for (const message of messages) {
        const taken = takeSyslogToken(message.bytes);
        const { source, refusal } =
          taken === undefined
            ? await withoutToken(sender)
            : { source: await sources.findBySyslogToken(taken.token), refusal: 'wrong-syslog-token' };
        if (source === null) sources.refuse(refusal, sender.address);
        else if (!source.isScopeEnabled)
          sources.count(source.clusterId, source.sourceId, { 'refused_scope-disabled': 1 });
        else {
          // A message that was cut stays longer than its bytes, so that it is marked as cut.
          const stored =
            taken === undefined
              ? message
              : { bytes: taken.bytes, length: message.length - message.bytes.length + taken.bytes.length };
          routed.push({ source, message: stored });
        }
      }
      return routed;
    },
  };
}
