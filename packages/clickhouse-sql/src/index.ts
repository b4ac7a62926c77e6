export { decodeRow, type OutputColumn, type WireValue } from './decode-row.ts';
export { AGGREGATE_BUILDERS } from './functions/aggregate-builders.ts';
export { COUNTRY_DICTIONARY } from './functions/geo-info-builders.ts';
export { SCALAR_BUILDERS } from './functions/scalar-builders.ts';
export { USER_AGENT_DICTIONARIES, USER_AGENT_MARK } from './functions/user-agent-builders.ts';
export { type PrintedQuery, printQuery } from './print-query.ts';
export type { ParameterValue } from './sql.ts';
