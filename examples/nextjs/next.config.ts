import type { NextConfig } from 'next'

// Loaded from node_modules instead of bundled: it has a native module and reads files from its package. `recollect/react` is
// bundled as usual.
const config: NextConfig = { serverExternalPackages: ['recollect/server'] }

export default config
