// Settings of senders as they stand in their files. Ports are those of a server that was not told others.

interface Place {
  readonly token: string;
  readonly host: string;
}

export interface Snippet {
  /** The program whose settings these are. */
  readonly program: string;
  readonly text: string;
}

const HTTP_PORT = 8088;
const SYSLOG_PORT = 5514;

const SNIPPETS: Readonly<Record<string, (place: Place) => Snippet>> = {
  syslog: ({ token, host }) => ({
    program: 'rsyslog, /etc/rsyslog.d/tyrian.conf',
    text: `template(name="tyrian" type="string"
  string="<%PRI%>1 %TIMESTAMP:::date-rfc3339% %HOSTNAME% %APP-NAME% %PROCID% %MSGID% [tyrian@32473 token=\\"${token}\\"] %msg%\\n")
*.* action(type="omfwd" target="${host}" port="${SYSLOG_PORT}" protocol="tcp" template="tyrian"
  TCP_Framing="octet-counted" action.resumeRetryCount="-1" queue.type="linkedList" queue.fileName="tyrian")`,
  }),
  hec: ({ token, host }) => ({
    program: 'curl',
    text: `curl http://${host}:${HTTP_PORT}/services/collector/event \\
  -H "Authorization: Splunk ${token}" \\
  -d '{"event": {"message": "hello"}, "source": "test"}'`,
  }),
  bulk: ({ token, host }) => ({
    program: 'Filebeat, filebeat.yml',
    text: `output.elasticsearch:
  hosts: ["http://${host}:${HTTP_PORT}"]
  username: "tyrian"
  password: "${token}"
setup.ilm.enabled: false
setup.template.enabled: false`,
  }),
  ndjson: ({ token, host }) => ({
    program: 'curl',
    text: `curl "http://${host}:${HTTP_PORT}/ingest/ndjson?source=NAME" \\
  -H "Authorization: Bearer ${token}" \\
  --data-binary @events.ndjson`,
  }),
};

/** Settings for a sender of that kind; null when there are none. */
export function snippetOf(kind: string, place: Place): Snippet | null {
  return SNIPPETS[kind]?.(place) ?? null;
}
