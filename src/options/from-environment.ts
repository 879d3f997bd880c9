import { WINDOWS } from './context-options.ts'
import { DEFAULTS, type MemoryConfig } from './options.ts'
import { type Group, type Leaf, refuse } from './resolve-options.ts'

/** Every option's path and default, for the reference and for the environment. */
export function listOptions(): readonly { path: string; variable: string; fallback: string | number }[] {
  const walk = (group: Group, path: string): { path: string; variable: string; fallback: Leaf }[] =>
    Object.entries(group).flatMap(([name, value]) =>
      typeof value === 'object'
        ? walk(value, `${path}${name}.`)
        : [{ path: path + name, variable: toVariable(path + name), fallback: value }],
    )
  return walk(DEFAULTS as unknown as Group, '')
}

/** One rule for all: `limits.messageBytes` is `RECOLLECT_LIMITS_MESSAGE_BYTES`. */
function toVariable(path: string): string {
  const words = path.replaceAll('.', '_').replaceAll(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3_$2$4')
  return `RECOLLECT_${words.toUpperCase()}`
}

/** What most people set has a short name beside. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  'models.chat.model': 'RECOLLECT_MODEL',
  'models.chat.url': 'RECOLLECT_MODEL_URL',
  'models.chat.key': 'RECOLLECT_MODEL_KEY',
  'models.embeddings.model': 'RECOLLECT_EMBEDDING_MODEL',
  'models.embeddings.url': 'RECOLLECT_EMBEDDING_URL',
  'models.embeddings.key': 'RECOLLECT_EMBEDDING_KEY',
  'vectors.chroma.url': 'RECOLLECT_CHROMA_URL',
}

/** Options from environment variables; those that are not set are left out. */
export function configFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): MemoryConfig {
  const options: Record<string, unknown> = {}
  for (const { path, variable, fallback } of listOptions()) {
    const text = environment[variable] || environment[SHORT_NAMES[path] ?? '']
    if (text === undefined || text === '') continue
    setPath(options, path, toValue(text, typeof fallback === 'number' || path === 'context.window', variable))
  }
  return options as MemoryConfig
}

function toValue(text: string, mayBeNumber: boolean, variable: string): string | number {
  if (!mayBeNumber) return text
  const number = Number(text)
  if (!Number.isNaN(number)) return number
  if (text in WINDOWS) return text
  throw refuse(`${variable} must be a number, not "${text}"`)
}

function setPath(target: Record<string, unknown>, path: string, value: unknown): void {
  const [head = '', ...rest] = path.split('.')
  if (rest.length === 0) {
    target[head] = value
    return
  }
  target[head] ??= {}
  setPath(target[head] as Record<string, unknown>, rest.join('.'), value)
}
