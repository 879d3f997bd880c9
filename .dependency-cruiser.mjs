const steps = '^src/(record|derive|recall|context)/'
const contracts =
  '^src/(store/(store|activity-store|changes|derivations|edits|jobs|key-store|page-store|read-pages|document-store|recall-store|vector-store)|model/models)\\.ts$'
/** What any step may do with a contract, without knowing who implements it. */
const overContracts = '^src/model/(complete-object)\\.ts$'
/** What every model that is not built in goes through. */
const sharedByModels = '^src/model/(guard|network)/'
const tests = '\\.test\\.ts$'

/** Which way the arrows point: see docs/architecture.md. */
export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'domain-knows-nothing',
      severity: 'error',
      from: { path: '^src/domain/', pathNot: tests },
      to: { pathNot: '^src/domain/' },
    },
    {
      name: 'contracts-know-only-the-domain',
      severity: 'error',
      from: { path: contracts },
      to: { pathNot: ['^src/domain/', contracts] },
    },
    {
      // One schema per request, for the doors and for the steps alike: it knows the nouns and the limits.
      name: 'schemas-know-nouns-and-limits',
      severity: 'error',
      from: { path: '^src/schemas/', pathNot: tests },
      to: {
        path: '^src/',
        pathNot: ['^src/schemas/', '^src/domain/', '^src/options/(limit|context)-options\\.ts$'],
      },
    },
    {
      name: 'steps-see-contracts-not-backends',
      severity: 'error',
      from: { path: steps, pathNot: tests },
      to: { path: '^src/(store|model)/', pathNot: [contracts, overContracts] },
    },
    {
      name: 'steps-do-no-io',
      severity: 'error',
      from: { path: steps, pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'steps-do-not-meet',
      severity: 'error',
      from: { path: '^src/(record|derive|recall|context)/', pathNot: tests },
      to: { path: steps, pathNot: '^src/$1/' },
    },
    {
      name: 'backends-are-siblings-not-friends',
      severity: 'error',
      from: { path: '^src/(store|model|adapters)/([^/]+)/', pathNot: tests },
      to: {
        path: '^src/$1/',
        pathNot: ['^src/$1/$2/', '^src/$1/[^/]+\\.ts$', '^src/store/sql/', sharedByModels],
      },
    },
    {
      name: 'only-open-picks-a-backend',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/memory/open\\.ts$', '^src/(store|model)/', tests] },
      to: { path: '^src/(store|model)/[^/]+/' },
    },
    {
      name: 'outsiders-use-the-front-door',
      severity: 'error',
      from: { path: '^src/(adapters|server|cli)/' },
      to: {
        path: '^src/(domain|record|derive|recall|context|store|model|memory|options)/',
        // Language helpers, not parts of the engine.
        pathNot: '^src/domain/(?:defined-fields|keyed-mutex)\\.ts$',
      },
    },
    {
      // The suites are for other people's stores: they see what those see.
      name: 'conformance-uses-the-front-door',
      severity: 'error',
      from: { path: '^conformance/' },
      to: { path: '^src/', pathNot: '^src/(store/)?index\\.ts$' },
    },
    {
      // Nouns as types may come from the front door; whatever runs comes over HTTP.
      name: 'web-speaks-http',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/', pathNot: ['^src/adapters/react/', '^src/index\\.ts$'] },
    },
    {
      name: 'web-takes-types-only',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/index\\.ts$', dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
  },
}
