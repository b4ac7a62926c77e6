import { expect, it } from 'vitest';
import { outgoingCalls } from './outgoing-calls.mjs';

const feature = 'server/src/features/identity/sso/fetch-metadata.ts';
const found = (text: string, file = feature) => outgoingCalls(file, text).length;

it.each([
  "const answer = await fetch('http://127.0.0.1');",
  'return globalThis.fetch(url);',
  "globalThis['fetch'](url)",
  'const send = fetch;',
  'call({ customFetch: fetch })',
  "new WebSocket('ws://127.0.0.1')",
  'new EventSource(address)',
  "process.getBuiltinModule('net')",
  "import { request } from 'undici';",
  "import { Client } from 'ldapts';",
  "import * as oidc from 'openid-client';",
  "const mail = await import('nodemailer');",
  "import { createTransport } from 'nodemailer/dist/esm/nodemailer.js';",
])('[S02] a connection beside the module is seen: %s', (text) => {
  expect(outgoingCalls(feature, `const a = 1; // a comment\n\n${text}\n`)).toMatchObject([{ line: 3 }]);
});

it('leaves the module, the engines, the command line and tests alone, and words that only look alike', () => {
  const text = "await fetch('http://127.0.0.1')";
  for (const file of [
    'server/src/platform/outgoing/outgoing-http.ts',
    'server/src/engines/clickhouse/embedded-clickhouse.ts',
    'server/src/cli/call-server.ts',
    'server/src/features/search/cancel-search.test.ts',
    'server/src/features/identity/sso/testing/saml-idp.ts',
    'console/src/lib/call.ts',
  ]) {
    expect(found(text, file), file).toBe(0);
  }
  for (const harmless of [
    'fetchMetadata(x)',
    "import { a } from './fetch-metadata.ts'",
    'store.fetch(x)',
    '// fetch(x)',
    '/* fetch(x) */',
    'prefetch(x)',
    "'fetch (x)'.length",
  ]) {
    expect(found(harmless), harmless).toBe(0);
  }
});
