// Where no language model is named, an Ollama on this machine is used by itself. It is asked once, when a command begins
// that answers people, and not waited for: what does not answer at once is not there.

import type { ChatModelConfig, MemoryConfig } from '../index.ts'

const USUAL_ADDRESS = 'http://127.0.0.1:11434'
/** Loopback answers in a millisecond, or refuses. */
const WAIT_MS = 250
/** Whoever names an address wants what is there. */
const WAIT_FOR_NAMED_MS = 3000

/** What it knows of an installed model. */
interface InstalledModel {
  readonly name?: unknown
  readonly details?: { readonly family?: unknown }
}

/**
 * The settings for it; undefined where a model is named, where it is switched off (`RECOLLECT_OLLAMA=off`), or where it
 * is not there. `RECOLLECT_OLLAMA` may name another address.
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
    // Nobody is there, or somebody who speaks another language: both mean that there is none.
    if (error instanceof Error) return []
    throw error
  }
}

/** The one that was used last stands first. Models for vectors cannot chat. */
function chooseModel(models: readonly InstalledModel[]): string | undefined {
  const chat = models.find(
    ({ name, details }) => !/embed|bert|\bbge\b|minilm/i.test(`${String(name)} ${String(details?.family)}`),
  )
  return typeof chat?.name === 'string' ? chat.name : undefined
}
