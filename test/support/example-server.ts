import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../..')

/**
 * Builds an example with Vite, once per test file. Returns a function that serves it together with the API of a
 * memory at the same address; each server is closed after its test.
 */
export function buildExample(name: string): (memoryUrl: string) => Promise<string> {
  const folder = join(root, 'examples', name)
  const outDir = mkdtempSync(join(tmpdir(), 'recollect-example-'))
  afterAll(() => rmSync(outDir, { recursive: true, force: true }))
  beforeAll(async () => {
    const { build } = await import('vite')
    await build({
      root: folder,
      configFile: false,
      logLevel: 'warn',
      // Resolves the package as if it were installed.
      resolve: {
        alias: {
          'recollect/react/theme.css': join(root, 'src/adapters/react/theme.css'),
          'recollect/react': join(root, 'src/adapters/react/index.ts'),
        },
      },
      build: { outDir, emptyOutDir: true, minify: false },
    })
  })
  return async (memoryUrl) => {
    const { preview } = await import('vite')
    const server = await preview({
      root: folder,
      configFile: false,
      logLevel: 'warn',
      build: { outDir },
      preview: {
        host: '127.0.0.1',
        port: 0,
        proxy: { '/api': { target: memoryUrl, changeOrigin: false } },
      },
    })
    onTestFinished(() => server.close())
    const [url] = server.resolvedUrls?.local ?? []
    if (url === undefined) throw new TypeError('the example is not served')
    return url
  }
}
