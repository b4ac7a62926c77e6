// Texts to begin a rule from. Their comments are of the one who writes, so they say little.

const head = (
  title: string,
  description: string,
  tags: readonly string[],
  source: string,
  date: string,
): string =>
  `title: ${title}
id: ${crypto.randomUUID()}
status: experimental
description: ${description}
author: ''
date: ${date}
tags:
${tags.map((tag) => `    - ${tag}`).join('\n')}
logsource:
${source}`;

const tail = `falsepositives:
    - Administrators
level: medium
`;

const WINDOWS_PROCESS = `    category: process_creation
    product: windows
`;

type Template = (date: string) => string;

export const RULE_TEMPLATES = {
  process: (
    date,
  ) => `${head('New Suspicious Process', 'A process that is seldom started for good reasons.', ['attack.execution', 'attack.t1059'], WINDOWS_PROCESS, date)}detection:
    selection:
        Image|endswith: '\\example.exe'
        CommandLine|contains: ' --example '
    filter_main_parent:
        ParentImage|startswith: 'C:\\Program Files\\'
    condition: selection and not 1 of filter_main_*
${tail}`,
  registry: (
    date,
  ) => `${head('New Suspicious Registry Value', 'A value of the registry that starts something.', ['attack.persistence', 'attack.t1547.001'], '    category: registry_set\n    product: windows\n', date)}detection:
    selection:
        TargetObject|contains: '\\CurrentVersion\\Run\\'
        Details|contains: '\\AppData\\'
    condition: selection
${tail}`,
  linux: (
    date,
  ) => `${head('New Suspicious Linux Command', 'A command that is seldom run on a server.', ['attack.execution', 'attack.t1059.004'], '    category: process_creation\n    product: linux\n', date)}detection:
    selection:
        Image|endswith: '/bash'
        CommandLine|contains: '/dev/tcp/'
    condition: selection
${tail}`,
  cloud: (
    date,
  ) => `${head('New Suspicious AWS Call', 'A call that changes who may do what.', ['attack.persistence', 'attack.t1098'], '    product: aws\n    service: cloudtrail\n', date)}detection:
    selection:
        eventSource: iam.amazonaws.com
        eventName: CreateAccessKey
    condition: selection
${tail}`,
  correlation: (date) => `title: Many New Events of One Rule
id: ${crypto.randomUUID()}
status: experimental
description: So many events of one rule within minutes, for each user.
author: ''
date: ${date}
correlation:
    type: event_count
    rules:
        - name_of_an_own_rule
    group-by:
        - User
    timespan: 10m
    condition:
        gte: 10
level: high
`,
} as const satisfies Record<string, Template>;

export type RuleTemplate = keyof typeof RULE_TEMPLATES;
export const TEMPLATE_NAMES = Object.keys(RULE_TEMPLATES) as readonly RuleTemplate[];

/** The text of a template, with an id of its own. `nowMs` gives its date. */
export const templateText = (name: RuleTemplate, nowMs: number): string =>
  RULE_TEMPLATES[name](new Date(nowMs).toISOString().slice(0, 10));
