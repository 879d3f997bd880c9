import { fileURLToPath } from 'node:url'
import { defineConfig, type UserConfig } from 'vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const config: UserConfig = defineConfig({
  root: here('.'),
  // Uses the source of the React package instead of its build.
  resolve: { alias: { 'recollect/react': here('../src/adapters/react/index.ts') } },
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // Files here have a content hash in their name and are cached indefinitely.
    assetsDir: 'assets',
    // Inlined assets would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:4747', '/metrics': 'http://127.0.0.1:4747' } },
})

export default config
