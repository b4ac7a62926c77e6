export { type Cardinality, type Column, type ColumnAliases, column, type KqlType } from './column.ts';
export { EVENT_COLUMNS } from './event-columns.ts';
export { ALL_EVENTS, STREAMS, type Stream, type StreamName } from './streams.ts';
