import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** Tests that need a PostgreSQL server, which is started for them alone. */
const NEEDS_POSTGRES = ['test/conformance/postgres*.test.ts', 'test/postgres/**/*.test.ts']
/** What the library does, done once more with PostgreSQL under it. */
const ALSO_ON_POSTGRES = [
  'library',
  'derive',
  'derive-models',
  'recall',
  'recall-models',
  'recall-scope',
  'context-memory',
  'pages',
  'documents',
  'export-import',
]

const config: ViteUserConfig = defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A browser on a busy machine takes its time.
    expect: { poll: { timeout: 20_000 } },
    // Two cores: the reliability tests start processes of their own.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['dist/**', 'node_modules/**', ...NEEDS_POSTGRES],
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
