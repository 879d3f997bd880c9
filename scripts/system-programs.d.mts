export function findChromium(): string | undefined
export function findPostgres(): string | undefined
export function findPgBouncer(): string | undefined
export function installMissing(names?: readonly ('Chromium' | 'PostgreSQL' | 'PgBouncer')[]): void
export function requireChromium(): string
