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

import { findOllama } from './find-ollama.ts'

/** Options that every command has. */
interface GlobalOptions {
  readonly db: string
  readonly workspace?: string
  readonly json?: boolean
}

export interface Session {
  readonly memory: Memory
  readonly isJson: boolean
  /** The file, or the address without its password. */
  readonly path: string
  /** A model that was not named, and was found on this machine. */
  readonly found?: ChatModelConfig
}

interface OpeningRules {
  readonly mayCreate: boolean
  readonly mayDerive?: boolean
  /** Where there is none, one that keeps nothing stands for it, and no file is made. */
  readonly isTrial?: boolean
  /** Answers people: where no model is named, one on this machine is looked for. */
  readonly mayFindModel?: boolean
}

/** Opens the memory that the options name, does the work and closes it, whatever happens. */
export async function withMemory<T>(
  command: Command,
  { mayCreate, mayDerive = true, isTrial = false, mayFindModel = false }: OpeningRules,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { db, workspace, json } = command.optsWithGlobals<GlobalOptions>()
  if (!mayCreate && !isThere(db)) {
    throw new MemoryError('not-found', `there is no memory at ${db}`, {
      hint: 'give its path with --db or RECOLLECT_DB, or record something first: recollect record chat "Hello"',
    })
  }
  const options = configFromEnvironment(process.env)
  const found = mayFindModel ? await findOllama(options, process.env) : undefined
  const memory = await openMemory(isTrial && !isThere(db) ? ':memory:' : db, {
    ...options,
    ...(found && withFound(options, found)),
    ...definedFields({ workspace }),
    ...(!mayDerive && { derive: { ...options.derive, when: 'never' } }),
  })
  try {
    const place = isAddress(db) ? memory.location : db
    return await work({ memory, isJson: json === true, path: place, ...(found && { found }) })
  } finally {
    await memory.close()
  }
}

/** Nobody asked it to work through all that was ever said: it answers, unless more is asked for. */
const withFound = (
  { models, derive }: MemoryConfig,
  found: ChatModelConfig,
): Pick<MemoryConfig, 'models' | 'derive'> => ({
  models: { ...models, chat: { ...models?.chat, ...found } },
  derive: { by: 'built-in', ...derive },
})

const isAddress = (db: string): boolean => /^[a-z][a-z0-9+-]+:\/\//i.test(db)

/** What a database has is known when it is open. */
const isThere = (db: string): boolean => db === ':memory:' || isAddress(db) || existsSync(db)

/** Commands that read refuse an id that nobody used: it is a slip more often than a new conversation. */
export async function needConversation(memory: Memory, id: string): Promise<ConversationMemory> {
  const handle = memory.conversation(id)
  if ((await handle.get()) !== undefined) return handle
  throw new MemoryError('not-found', `there is no conversation "${id}"`, {
    hint: 'recollect list shows them',
  })
}

/** A command with what all of them share. */
export function newCommand(name: string, description: string): Command {
  return new Command(name).description(description).showHelpAfterError('(--help tells what it takes)')
}
