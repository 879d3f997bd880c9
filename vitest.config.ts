import { join } from 'node:path'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** Tests that need a PostgreSQL server; one is started for all of them. */
const NEEDS_POSTGRES = ['test/conformance/postgres*.test.ts', 'test/postgres/**/*.test.ts']
/** Tests that need a browser; one is started for all of them. */
const NEEDS_BROWSER = [
  'test/web/**/*.test.ts',
  'test/react/react-sidebar.test.ts',
  'test/react/nextjs.test.ts',
]
/** Tests of the library that also run on PostgreSQL. */
const ALSO_ON_POSTGRES = [
  'library',
  'derive',
  'derive-models',
  'recall',
  'recall-models',
  'recall-scope',
  'scope',
  'page-context',
  'context-memory',
  'pages',
  'documents',
  'export-import',
]

/** The conformance suites import the package by its name; in tests, that is the source. */
const PACKAGE = [
  { find: /^recollect$/, replacement: join(import.meta.dirname, 'src/index.ts') },
  { find: /^recollect\/store$/, replacement: join(import.meta.dirname, 'src/store/index.ts') },
]

const config: ViteUserConfig = defineConfig({
  resolve: { alias: PACKAGE },
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A browser on a busy machine is slow.
    expect: { poll: { timeout: 20_000 } },
    // For two cores. The reliability tests also start processes.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['dist/**', 'node_modules/**', ...NEEDS_POSTGRES, ...NEEDS_BROWSER],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          // One browser serves all files; on a busy machine a page is now and then not ready in time.
          retry: 1,
          include: NEEDS_BROWSER,
          globalSetup: ['test/support/browser-server.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [
            ...NEEDS_POSTGRES,
            ...ALSO_ON_POSTGRES.map((journey) => `test/journeys/${journey}.test.ts`),
          ],
          globalSetup: ['test/support/postgres-server.ts'],
        },
      },
    ],
  },
})

export default config
