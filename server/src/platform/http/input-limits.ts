// How large the input of any call may be, in one place. What one field may hold stands in the schema of its call
// (packages/contract) and in /openapi.json; these limits hold for every call, before its schema is looked at.
// docs/api-limits.md names them with their answers; a test compares the two.

export const INPUT_LIMITS = {
  /** Bytes of a body. */
  bodyBytes: 1024 * 1024,
  /** Bytes of the body of a call that carries a whole workbook. */
  workbookBodyBytes: 8 * 1024 * 1024,
  /** How deep arrays and objects may stand in each other; the body itself is level 1. */
  depth: 32,
  /** Elements of all arrays and fields of all objects of a body, together. */
  values: 50_000,
  /** UTF-16 units of one text, whatever its field allows. */
  textLength: 500_000,
  /** UTF-16 units of the name of a field. */
  nameLength: 512,
  /** Parameters of a query string, repeated ones counted each time. */
  queryParameters: 100,
  /** Characters of a parameter in the path, as it stands there encoded. A longer one is an unknown path. */
  pathParameterLength: 512,
  /** Calls per minute from one address; single calls have a number of their own. */
  callsPerMinute: 6_000,
} as const;
