export { type CompileOptions, type CompileResult, compileKql, LONGEST_QUERY } from './compile-kql.ts';
export { type ExtField, eventSchema, type KqlSchema } from './event-schema.ts';
export { messages } from './messages.ts';
