import { ATTACK_MESSAGES } from './attack-messages.ts';
import { AUTH_MESSAGES, FACTOR_MESSAGES, PASSWORD_MESSAGES, SESSION_MESSAGES } from './auth-messages.ts';
import { CASE_MESSAGES, NOTE_MESSAGES } from './case-messages.ts';
import { MAIL_MESSAGES, OUTGOING_MESSAGES, SSO_MESSAGES } from './connection-messages.ts';
import { CONNECTOR_MESSAGES } from './connector-messages.ts';
import { CONTENT_MESSAGES } from './content-messages.ts';
import { DATA_MODEL_MESSAGES } from './data-model-messages.ts';
import { ENRICHMENT_MESSAGES } from './enrichment-messages.ts';
import { EVENTSTORE_MESSAGES } from './eventstore-messages.ts';
import { EXTRACTOR_MESSAGES } from './extractor-messages.ts';
import { FIELD_MESSAGES } from './field-messages.ts';
import { INPUT_MESSAGES, REASON_MESSAGES } from './input-messages.ts';
import {
  COMPONENT_MESSAGES,
  ENGINE_MESSAGES,
  JOB_MESSAGES,
  LIST_MESSAGES,
  LIVE_MESSAGES,
  PREFERENCE_MESSAGES,
} from './platform-messages.ts';
import { SAMPLE_MESSAGES } from './sample-messages.ts';
import { FUNCTION_MESSAGES, SEARCH_MESSAGES } from './search-messages.ts';
import { SIGNAL_MESSAGES } from './signal-messages.ts';
import { INGEST_MESSAGES, SOURCE_MESSAGES, TOKEN_MESSAGES, UPLOAD_MESSAGES } from './source-messages.ts';
import { SUPPRESSION_MESSAGES } from './suppression-messages.ts';
import { DEMO_MESSAGES, ORGANIZATION_MESSAGES, TENANT_MESSAGES, USER_MESSAGES } from './tenant-messages.ts';
import { WORD_MESSAGES } from './word-messages.ts';
import { PACK_MESSAGES, RULE_MESSAGES, WORKBOOK_MESSAGES } from './workbook-messages.ts';

// Every sentence that the server says to people, by area. A code is `area.name`; a template is the English sentence with
// its values as {{name}}. The other languages stand in
// packages/contract/locales: the console reads them there, and the server for its mails.

export const MESSAGE_TEMPLATES = {
  attack: ATTACK_MESSAGES,
  auth: AUTH_MESSAGES,
  cases: CASE_MESSAGES,
  components: COMPONENT_MESSAGES,
  connectors: CONNECTOR_MESSAGES,
  content: CONTENT_MESSAGES,
  dataModel: DATA_MODEL_MESSAGES,
  demo: DEMO_MESSAGES,
  engines: ENGINE_MESSAGES,
  enrichment: ENRICHMENT_MESSAGES,
  eventstores: EVENTSTORE_MESSAGES,
  extractors: EXTRACTOR_MESSAGES,
  factors: FACTOR_MESSAGES,
  fields: FIELD_MESSAGES,
  functions: FUNCTION_MESSAGES,
  ingest: INGEST_MESSAGES,
  input: INPUT_MESSAGES,
  jobs: JOB_MESSAGES,
  lists: LIST_MESSAGES,
  live: LIVE_MESSAGES,
  mail: MAIL_MESSAGES,
  notes: NOTE_MESSAGES,
  organizations: ORGANIZATION_MESSAGES,
  outgoing: OUTGOING_MESSAGES,
  packs: PACK_MESSAGES,
  passwords: PASSWORD_MESSAGES,
  preferences: PREFERENCE_MESSAGES,
  reasons: REASON_MESSAGES,
  rules: RULE_MESSAGES,
  samples: SAMPLE_MESSAGES,
  search: SEARCH_MESSAGES,
  session: SESSION_MESSAGES,
  signals: SIGNAL_MESSAGES,
  sources: SOURCE_MESSAGES,
  sso: SSO_MESSAGES,
  suppression: SUPPRESSION_MESSAGES,
  tenants: TENANT_MESSAGES,
  tokens: TOKEN_MESSAGES,
  uploads: UPLOAD_MESSAGES,
  users: USER_MESSAGES,
  words: WORD_MESSAGES,
  workbooks: WORKBOOK_MESSAGES,
} as const;
