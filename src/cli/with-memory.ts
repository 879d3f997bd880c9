import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { definedFields } from '../domain/defined-fields.ts'
import {
  type ChatModelConfig,
  type ConversationMemory,
  configFromEnvironment,
  type Memory,
  type MemoryConfig,
  MemoryError,
  openMemory,
} from '../index.ts'

/** Options that every command has. */
interface GlobalOptions {
  readonly db: string
  readonly workspace?: string
  readonly json?: boolean
}

export interface Session {
  readonly memory: Memory
  readonly isJson: boolean
  /** The file, or the URL without its password. */
  readonly path: string
  /** The model detected on this machine, if none is configured. */
  readonly found?: ChatModelConfig
}

interface OpeningRules {
  readonly mayCreate: boolean
  readonly mayDerive?: boolean
  /** If there is no database, uses one in memory and creates no file. */
  readonly isTrial?: boolean
  /** If no model is configured, looks for one on this machine. */
  readonly mayFindModel?: boolean
}

/** Opens the memory given by the options, runs `work`, and closes it even if `work` fails. */
export async function withMemory<T>(
  command: Command,
  { mayCreate, mayDerive = true, isTrial = false, mayFindModel = false }: OpeningRules,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { db, workspace, json } = command.optsWithGlobals<GlobalOptions>()
  if (!mayCreate && !mayExist(db)) {
    throw new MemoryError('not-found', `no memory at ${db}`, {
      hint: 'set its path with --db or RECOLLECT_DB, or record something first: recollect record chat "Hello"',
    })
  }
  const options = configFromEnvironment(process.env)
  const found = mayFindModel ? await findOllama(options, process.env) : undefined
  const memory = await openMemory(isTrial && !mayExist(db) ? ':memory:' : db, {
    ...options,
    ...(found && withFound(options, found)),
    ...definedFields({ workspace }),
    ...(!mayDerive && { derive: { ...options.derive, when: 'never' } }),
  })
  try {
    const path = isAddress(db) ? memory.location : db
    return await work({ memory, isJson: json === true, path, ...(found && { found }) })
  } finally {
    await memory.close()
  }
}

/** A detected model only answers questions. It derives facts and summaries only if configured to. */
const withFound = (
  { models, derive }: MemoryConfig,
  found: ChatModelConfig,
): Pick<MemoryConfig, 'models' | 'derive'> => ({
  models: { ...models, chat: { ...models?.chat, ...found } },
  derive: { by: 'built-in', ...derive },
})

const isAddress = (db: string): boolean => /^[a-z][a-z0-9+-]+:\/\//i.test(db)

/** Whether a server database exists is known only after connecting. */
const mayExist = (db: string): boolean => db === ':memory:' || isAddress(db) || existsSync(db)

/** Commands that read reject an unknown id, which is more likely a typo than a new conversation. */
export async function needConversation(memory: Memory, id: string): Promise<ConversationMemory> {
  const handle = memory.conversation(id)
  if ((await handle.get()) !== undefined) return handle
  throw new MemoryError('not-found', `no conversation "${id}"`, {
    hint: 'list them with: recollect list',
  })
}

/** A command with the settings all commands share. */
export function newCommand(name: string, description: string): Command {
  return new Command(name).description(description).showHelpAfterError('(add --help for usage)')
}

// If no language model is configured, an Ollama server on this machine is used automatically. It is queried once, when a
// command that answers questions starts, with a short timeout.

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
async function findOllama(
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
