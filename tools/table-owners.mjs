// Each table of PostgreSQL has one owner: a folder of server/src/features, or server/src/platform. Nobody else's code
// names it in SQL; whoever wants what stands in it asks the owner's public function.
import ts from 'typescript';
import { folderOf } from './folder-rings.mjs';

/** Tables by their owner. */
export const TABLES_OF = {
  platform: [
    'arrival_mark',
    'component',
    'component_minute',
    'domain_event',
    'event_consumer',
    'job_run',
    'job_runner',
  ],
  attack: ['attack_day', 'attack_layer', 'workbook_actor'],
  identity: [
    'access_version',
    'api_token',
    'audit_entry',
    'audit_head',
    'audit_signature',
    'factor_offer',
    'login_address',
    'login_failure',
    'mail_domain',
    'organization',
    'organization_directory',
    'passkey',
    'password_history',
    'password_link',
    'person',
    'recovery_code',
    'scope',
    'scope_access',
    'session',
    'sign_in_challenge',
    'sso_provider',
    'sso_request',
    'sso_signing_key',
    'sso_subject',
    'sso_ticket',
    'stream_config',
    'switch_value',
    'tenant',
    'tenant_access',
    'tenant_engine',
    'tenant_organization',
    'totp_factor',
  ],
  cases: [
    'case_entity',
    'case_history',
    'case_note',
    'case_signal',
    'incident_case',
    'incident_case_counter',
  ],
  components: ['component_config'],
  connectors: ['connector'],
  'data-model': ['catalog_field', 'catalog_request', 'catalog_stream'],
  demo: ['demo'],
  detections: ['evaluated_minute', 'rule', 'rule_group', 'rule_hour', 'rule_window'],
  enrichment: [
    'enrichment_hit',
    'enrichment_image',
    'enrichment_set',
    'enrichment_table',
    'indicator_find',
    'indicator_hunt',
  ],
  eventstores: ['eventstore', 'eventstore_upload'],
  extraction: [
    'extractor',
    'extractor_counter',
    'extractor_off',
    'extractor_sample',
    'extractor_version',
    'reparse',
  ],
  functions: ['kql_function', 'kql_function_version'],
  ingest: ['ingest_batch', 'ingest_owner'],
  mail: ['platform_setting'],
  notifications: ['notification', 'notification_mailbox', 'notification_switch'],
  preferences: ['saved_view', 'user_preference'],
  'rule-health': ['rule_tuning'],
  'rule-preview': ['rule_preview', 'rule_preview_result'],
  rules: [
    'own_rule',
    'pack_rule',
    'pack_rule_update',
    'pack_rule_version',
    'rule_change',
    'rule_import',
    'rule_import_part',
    'rule_pack',
    'rule_revision',
    'rule_text',
    'scope_rule',
  ],
  samples: ['rule_samples', 'sample_policy', 'shipped_sample_run'],
  search: ['saved_query', 'search_history', 'search_task', 'seen_field'],
  signals: [
    'signal',
    'signal_entity',
    'signal_facet_task',
    'signal_history',
    'signal_occurrence',
    'signal_outbox',
    'signal_tag',
  ],
  sources: [
    'ingest_account',
    'ingest_certificate',
    'ingest_counter',
    'ingest_refusal',
    'ingest_rejection',
    'ingest_sender',
    'ingest_source',
    'ingest_token',
    'syslog_grant',
  ],
  streams: ['drop_rule', 'volume_subscription'],
  suppression: ['suppressed_occurrence', 'suppression_hits', 'suppression_rule'],
  workbooks: [
    'content_policy',
    'workbook',
    'workbook_directory',
    'workbook_update_declined',
    'workbook_version',
  ],
};

/** Who names a table of another today, and why. The list may only shrink. */
export const TABLES_OF_OTHERS = {
  'components component': 'the configured components beside those that run, one list',
  'components tenant': 'names of tenants with an engine of their own, in one query',
  'components tenant_engine': 'tenants with an engine of their own',
  'detections arrival_mark': 'due rules are claimed where events came in, in one statement over all tenants',
  'ingest scope': 'the first scope of the machine itself, before anybody has signed in',
  'ingest tenant': 'the first tenant of the machine itself, before anybody has signed in',
  'jobs job_run': 'the page of jobs lists what the platform runs',
  'jobs tenant': 'names of tenants in the list of jobs, in one query',
  'jobs tenant_organization': 'which jobs an administrator may see is part of the query that pages them',
  'live domain_event': 'what is new is read as of one snapshot',
  'mail person': 'the language of a receiver: identity, which has mail handed in, cannot be asked back',
  'notifications person': 'who gets a mail is part of the query that leases mailboxes',
  'notifications scope': 'names of scopes in mails, in one query',
  'platform tenant_engine': 'access to ClickHouse looks up where a tenant is',
  'sources scope': 'whether a scope takes events is asked for each sender',
  'sources tenant': 'names of tenants in the list of networks, in one query',
  'workbooks rule': 'how many workbooks stream is counted with their rules, in one query',
};

/** Calls of Kysely whose first argument is a table. */
const CALLS =
  /^(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|(?:inner|left|right|full|cross)Join|table)$/;
const IN_SQL = /\b(?:from|join|into|update|using)\s+(?:only\s+)?([a-z_]+)\b/gi;

/** Who owns a file's SQL: the name of its feature, `platform`, or undefined for a file that may name every table. */
export function ownerOf(file) {
  if (!file.startsWith('server/src/')) return undefined;
  if (/^server\/src\/platform\/(?!.*(?:\.test\.ts$|\/testing\/))/.test(file)) return 'platform';
  return folderOf(file)?.split('/').at(-1);
}

/** Tables that a file names in SQL, of those that are known: in calls of Kysely and in the text of templates. */
export function tablesIn(file, text, known) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const named = new Set();
  const note = (name) => known.has(name) && named.add(name);
  visit(source);
  return [...named].sort();

  function visit(node) {
    if (ts.isCallExpression(node)) noteCall(node);
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText(source).startsWith('sql'))
      noteSql(node.template);
    ts.forEachChild(node, visit);
  }

  function noteCall({ expression, arguments: [first] }) {
    if (!first || !ts.isPropertyAccessExpression(expression) || !CALLS.test(expression.name.text)) return;
    for (const one of ts.isArrayLiteralExpression(first) ? first.elements : [first])
      if (ts.isStringLiteralLike(one)) note(one.text.split(/\s/)[0]);
  }

  function noteSql(template) {
    const texts = ts.isNoSubstitutionTemplateLiteral(template)
      ? [template.text]
      : [template.head.text, ...template.templateSpans.map((span) => span.literal.text)];
    for (const [, name] of texts.join(' ? ').matchAll(IN_SQL)) note(name);
  }
}

/** Tables that migrations (their texts in order) made and did not drop, under the names that they have in the end. */
export function tablesMade(migrations) {
  const made = new Set();
  for (const [, act, name, renamed] of migrations
    .join('\n')
    .matchAll(
      /^\s*(create|drop|alter) table (?:if (?:not )?exists )?([a-z_]+)(?: rename to ([a-z_]+))?/gim,
    )) {
    if (act.toLowerCase() === 'create') made.add(name);
    else if (act.toLowerCase() === 'drop' || renamed) made.delete(name);
    if (renamed) made.add(renamed);
  }
  return made;
}

/**
 * Problems as sentences, for files given as `[path, text]`: tables without an owner or with two, SQL that names the table
 * of another without standing in the list, and entries of the list that are no longer needed.
 */
export function tableProblems(files, migrations, tablesOf = TABLES_OF, allowed = TABLES_OF_OTHERS) {
  const made = tablesMade(migrations);
  const owners = new Map();
  const problems = [];
  for (const [owner, tables] of Object.entries(tablesOf)) {
    for (const table of tables) {
      if (owners.has(table)) problems.push(`${table}: has two owners, ${owners.get(table)} and ${owner}`);
      if (!made.has(table)) problems.push(`${table}: is no table; remove it from tools/table-owners.mjs`);
      owners.set(table, owner);
    }
  }
  for (const table of made)
    if (!owners.has(table)) problems.push(`${table}: has no owner in tools/table-owners.mjs`);
  const used = new Set();
  for (const [file, text] of files) {
    const reader = ownerOf(file);
    if (!reader) continue;
    for (const table of tablesIn(file, text, made)) {
      const owner = owners.get(table);
      if (owner === undefined || owner === reader) continue;
      used.add(`${reader} ${table}`);
      if (!Object.hasOwn(allowed, `${reader} ${table}`))
        problems.push(`${file}: names ${table}, which is ${owner}'s; ask its public function`);
    }
  }
  for (const entry of Object.keys(allowed))
    if (!used.has(entry))
      problems.push(`${entry}: is not used any more; remove it from tools/table-owners.mjs`);
  return problems;
}
