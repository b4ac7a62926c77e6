export const SEARCH_MESSAGES = {
  /** The compiler's first diagnostic; all of them travel in `data`. */
  diagnostic: '{{diagnostic}}',
  queryHasErrors: 'The query has errors',
  onceTooSlow:
    'One of your queries took too long to compile; simplify the query and try again in {{seconds}} s',
  oftenTooSlow:
    '{{count}} of your queries took too long to compile; simplify the query and try again in {{seconds}} s',
  waitForCompiler: '{{count}} of your queries are waiting for the compiler; try again in a moment',
  serverStopping: 'The server is stopping',
  tooSlow:
    'Stopped after {{seconds}} seconds, the limit of the {{queue}} queue; narrow the time range, name a stream, or filter on a column first',
  tooMuchMemory:
    'Stopped because it needed more than {{most}} of memory; narrow the time range or group by fewer values',
  queryStopped: 'The query was stopped',
  stopped: 'Stopped',
  serverStopped: 'The server was stopped; run the search again',
  engineBusy: 'The search engine is busy; try again in a moment',
  storeSilent: 'The event store does not answer at the moment; try again in a moment',
  engineRefused: 'The engine refused the query: {{reason}}',
  rowsLost: 'The results of this search could not be stored; run it again',
  madeRoom:
    'The results of this search were deleted to make room for newer searches of this tenant; run it again',
  lost: 'The process that ran this search ended; run it again',
  failed: 'The search failed because of a server error; see the server log',
  downloadStalled: 'The download made no progress for {{seconds}} s',
  noResultColumn: 'the result has no column named {{name}}',
  noEventField: 'Events have no field named {{field}}',
  noQueryField: 'The events of this query have no field named {{field}}',
  planLimit: 'The plan allows {{most}} searches at once; try again later',
  queueFull: '{{count}} queries of this tenant are waiting in the {{queue}} queue; try again later',
  tooManySaved: 'You have {{most}} saved queries and snippets in this scope; delete some first',
  savedChanged: 'It was changed in the meantime; reload it and repeat your change',
  savedNameTaken: 'You already have one with this name: {{name}}',
  emptyRange: 'The time range ends before it begins',
  tooManyRunning: 'You have {{most}} searches running; stop one or wait',
  pageTooLarge: 'The page is larger than {{most}} MiB; ask for fewer rows per page, or project fewer columns',
  tooManySteps: 'More than {{most}} steps have columns that depend on the data',
} as const;

/** Functions of KQL that a tenant keeps. */
export const FUNCTION_MESSAGES = {
  hasErrors: 'The function has errors',
  tooMany: 'A tenant has at most {{most}} functions',
  nameTaken: 'A function named {{name}} already exists',
  inUse: 'The function {{user}} uses {{name}}; change it first',
  changedMeanwhile: 'The function was changed in the meantime; reload it before you save',
  tenantOutOfReach: 'You have no access to this tenant',
  tenantHasOwn: 'The tenant has its own function of that name',
} as const;
