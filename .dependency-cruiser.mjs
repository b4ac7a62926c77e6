// Floors of the house: imports go down only, and never in a ring. docs/architecture.md draws them.
const pkg = (...names) => `^packages/(${names.join('|')})/`;

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-ring', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'floor-0-stands-alone',
      severity: 'error',
      from: { path: pkg('diagnostics', 'catalog') },
      to: { path: '^(packages|server|console)/', pathNot: pkg('diagnostics', 'catalog') },
    },
    {
      name: 'floor-1-stands-on-floor-0',
      severity: 'error',
      from: { path: '^packages/(plan|contract)/' },
      to: { path: '^(packages/(kql|sigma|clickhouse-sql|ingest)|server|console)/' },
    },
    {
      name: 'plan-and-contract-do-not-know-each-other',
      severity: 'error',
      from: { path: pkg('plan') },
      to: { path: pkg('contract') },
    },
    {
      name: 'floor-2-neighbours-do-not-know-each-other',
      severity: 'error',
      from: { path: '^packages/(kql|sigma|clickhouse-sql|ingest)/' },
      to: { path: '^(packages/(kql|sigma|clickhouse-sql|ingest)|server|console)/', pathNot: '^packages/$1/' },
    },
    {
      name: 'packages-are-pure',
      severity: 'error',
      comment: 'no network, no disk, no clock in packages (`buffer` only computes); tests may read fixtures',
      from: { path: '^packages/[^/]+/src/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?buffer$' },
    },
    {
      name: 'the-browser-never-builds-sql',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^(packages/(plan|clickhouse-sql|ingest)|server)/' },
    },
    {
      name: 'server-does-not-import-console',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^console/' },
    },
    {
      name: 'one-door-per-package',
      severity: 'error',
      from: { path: '^(packages/([^/]+)|server|console)/', pathNot: '^$' },
      to: { path: '^packages/[^/]+/src/(?!index\\.ts$)', pathNot: '^packages/$2/' },
    },
    {
      name: 'never-another-features-store',
      severity: 'error',
      from: { path: '^server/src/features/([^/]+)/' },
      to: { path: '^server/src/features/[^/]+/.*-store\\.ts$', pathNot: '^server/src/features/$1/' },
    },
    {
      name: 'platform-and-engines-know-no-feature',
      severity: 'error',
      from: { path: '^server/src/(platform|engines)/', pathNot: '(/testing/|\\.test\\.ts$)' },
      to: { path: '^server/src/features/' },
    },
    {
      name: 'one-way-out',
      severity: 'error',
      comment:
        'users name hosts: connections to them are opened in platform/outgoing alone. Engines have their own; the files named here listen, or only read addresses. tools/outgoing-calls.mjs sees to fetch and to packages.',
      from: {
        path: '^server/src/',
        pathNot: [
          '^server/src/platform/(outgoing|clickhouse|postgres)/',
          '^server/src/(engines|cli)/',
          '^server/src/start-server\\.ts$',
          '^server/src/features/ingest/(syslog-listeners|sender-port)\\.ts$',
          '^server/src/platform/http/trusted-proxies\\.ts$',
          '/testing/',
          '\\.test\\.ts$',
        ],
      },
      to: {
        path: '^(http|https|http2|net|tls|dns|dns/promises|dgram)$',
        dependencyTypes: ['core'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'console-lib-and-ui-know-no-feature',
      severity: 'error',
      from: { path: '^console/src/(lib|ui)/' },
      to: { path: '^console/src/(features|query-kit|app)/' },
    },
    {
      name: 'query-kit-stands-below-features',
      severity: 'error',
      comment:
        'the editor, results and runs of queries are for every feature that asks, and know none of them',
      from: { path: '^console/src/query-kit/' },
      to: { path: '^console/src/(features|app)/' },
    },
    {
      name: 'console-features-meet-in-public',
      severity: 'error',
      from: { path: '^console/src/features/([^/]+)/' },
      to: {
        path: '^console/src/(features/[^/]+/|app/)',
        pathNot: '^console/src/features/($1/|[^/]+/public\\.ts$)',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js'],
    },
  },
};
