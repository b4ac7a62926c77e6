// Ways out of the server that dependency-cruiser does not see: Node's own HTTP client needs no import, and packages are
// not part of its graph. Imports of Node's own modules are its part (rule `one-way-out`).

/** Folders whose connections no user of the product chooses, and the module of outgoing connections itself. */
const FREE = /^server\/src\/(platform\/(outgoing|clickhouse|postgres)|engines|cli)\/|\.test\.ts$|\/testing\//;
const CALLS = [
  /(?<![.\w$'"`/-])fetch(?=\s*[(;,)}\]])/g,
  /\b(?:globalThis|global)\s*(?:\??\.\s*|\[\s*['"`])fetch\b/g,
  /\bnew\s+(?:WebSocket|EventSource|XMLHttpRequest)\b/g,
  /\bgetBuiltinModule\b/g,
];
const PACKAGES =
  /\b(?:from|import|require)\s*\(?\s*['"](?:undici|kafkajs|ldapts|nodemailer|openid-client|oauth4webapi|pg|@clickhouse\/client|ws)(?:\/[^'"]*)?['"]/g;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/[^\n]*/g;

/**
 * What of a file of the server goes out beside `server/src/platform/outgoing`, with its lines.
 * @param {string} file path in the repository
 * @param {string} text
 * @returns {{ what: string, line: number }[]}
 */
export function outgoingCalls(file, text) {
  if (!/^server\/src\/.*\.(ts|mjs)$/.test(file) || FREE.test(file)) return [];
  const code = text.replace(COMMENT, (comment) => comment.replace(/[^\n]/g, ' '));
  return [...CALLS, PACKAGES]
    .flatMap((pattern) => [...code.matchAll(pattern)])
    .map((match) => ({ what: match[0], line: code.slice(0, match.index).split('\n').length }));
}
