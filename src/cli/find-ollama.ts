// If no language model is configured, an Ollama server on this machine is used automatically. It is queried once, when a
// command that answers questions starts, with a short timeout.

import type { ChatModelConfig, MemoryConfig } from '../index.ts'

const USUAL_ADDRESS = 'http://127.0.0.1:11434'
/** Loopback responds or refuses within a millisecond. */
const WAIT_MS = 250
/** An address set by the user gets more time. */
const WAIT_FOR_NAMED_MS = 3000

/** An installed model, as listed by Ollama. */
interface InstalledModel {
  readonly name?: unknown
  readonly details?: { readonly family?: unknown }
}

/**
 * The model config for Ollama, or undefined if a model is configured, detection is off (`RECOLLECT_OLLAMA=off`) or no
 * Ollama responds. `RECOLLECT_OLLAMA` can also be an address.
 */
export async function findOllama(
  { models }: MemoryConfig,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ChatModelConfig | undefined> {
  const setting = environment['RECOLLECT_OLLAMA'] ?? ''
  const isNamed = (models?.chat?.url ?? '') !== '' || (models?.chat?.model ?? '') !== ''
  if (isNamed || /^(?:off|no|false|0)$/i.test(setting)) return undefined
  const address = setting === '' ? USUAL_ADDRESS : setting.replace(/\/+$/, '')
  const model = chooseModel(await listModels(address, setting === '' ? WAIT_MS : WAIT_FOR_NAMED_MS))
  return model === undefined ? undefined : { url: `${address}/v1`, model }
}

async function listModels(address: string, waitMs: number): Promise<readonly InstalledModel[]> {
  try {
    const response = await fetch(`${address}/api/tags`, { signal: AbortSignal.timeout(waitMs) })
    if (!response.ok) return []
    const { models } = (await response.json()) as { models?: unknown }
    return Array.isArray(models) ? models : []
  } catch (error) {
    // Unreachable, or not Ollama.
    if (error instanceof Error) return []
    throw error
  }
}

/** Ollama lists the most recently used model first. Embedding models can't chat. */
function chooseModel(models: readonly InstalledModel[]): string | undefined {
  const chat = models.find(
    ({ name, details }) => !/embed|bert|\bbge\b|minilm/i.test(`${String(name)} ${String(details?.family)}`),
  )
  return typeof chat?.name === 'string' ? chat.name : undefined
}
