// From one store to another, whichever they are: what `export` writes is what `import` reads, workspace by workspace;
// keys, which no export has, go beside it. Then both are read and compared. What is there already is not written
// again, so that a copy that broke off is ended by another.

import { createHash } from 'node:crypto'
import type { Conversation } from '../domain/conversation.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { isMemoryError, MemoryError } from '../domain/errors.ts'
import type { WorkspaceId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import { resolveConfig } from '../options/resolve-options.ts'
import type { ImportCounts } from '../record/import/imported.ts'
import { readConversations, readMessages } from '../store/read-pages.ts'
import type { OnProgress, Store } from '../store/store.ts'
import type { Memory } from './memory.ts'
import { type OpenOptions, openMemory, openStore } from './open.ts'

export interface CopyOptions {
  readonly from: string
  readonly to: string
  /** @default all */
  readonly workspaces?: readonly string[]
  /** Called now and then with the number of messages that were written, of one workspace. */
  readonly onProgress?: (workspace: string, ...progress: Parameters<OnProgress>) => void
  readonly options?: OpenOptions
}

/** What became of one workspace. */
export interface CopiedWorkspace extends ImportCounts {
  readonly workspace: WorkspaceId
  /** New keys. */
  readonly keys: number
  /** How many messages there are on both sides, each with the same words, time and speaker. */
  readonly verifiedMessages: number
  /** What is not the same on both sides, a sentence each; none where the copy is exact. */
  readonly differences: readonly string[]
}

interface Side {
  readonly memory: Memory
  readonly store: Store
}

export async function copyMemory(copy: CopyOptions): Promise<readonly CopiedWorkspace[]> {
  if (copy.from === copy.to) throw new MemoryError('invalid-input', 'a memory cannot be copied to itself')
  return withSide(copy.from, copy.options, (from) =>
    withSide(copy.to, copy.options, async (to) => {
      const workspaces = copy.workspaces ?? (await from.store.listWorkspaces())
      const copied: CopiedWorkspace[] = []
      for (const workspace of workspaces) copied.push(await copyWorkspace(copy, { from, to, workspace }))
      return copied
    }),
  )
}

/** Nothing is derived meanwhile: whoever opens the copy does that. */
async function withSide<T>(
  location: string,
  given: OpenOptions | undefined,
  work: (side: Side) => Promise<T>,
): Promise<T> {
  const options = { ...given, derive: { ...given?.derive, when: 'never' } } as const
  const memory = await openMemory(location, options)
  try {
    const { clock: _, languageModel: __, embedder: ___, reranker: ____, webSearch: _____, ...plain } = options
    const store = await openStore(location, resolveConfig(plain))
    try {
      return await work({ memory, store })
    } finally {
      await store.close()
    }
  } finally {
    await memory.close()
  }
}

interface Copying {
  readonly from: Side
  readonly to: Side
  readonly workspace: string
}

async function copyWorkspace(
  { onProgress }: CopyOptions,
  { from, to, workspace }: Copying,
): Promise<CopiedWorkspace> {
  const onMessages: OnProgress = (done, total) => onProgress?.(workspace, done, total)
  const pieces = from.memory.inWorkspace(workspace).export({ onProgress: onMessages })
  const { problems, format: _, ...counts } = await to.memory.inWorkspace(workspace).import(pieces)
  const id = from.memory.inWorkspace(workspace).workspace
  const { verified, differences } = await compare(from.store, to.store, id)
  return {
    workspace: id,
    ...counts,
    keys: await copyKeys(from.store, to.store, id),
    verifiedMessages: verified,
    differences: [...problems.map(({ place, reason }) => `${place}: ${reason}`), ...differences],
  }
}

async function copyKeys(from: Store, to: Store, workspace: WorkspaceId): Promise<number> {
  let added = 0
  for (const key of await from.listKeys(workspace)) {
    try {
      await to.addKey(key)
      added += 1
    } catch (error) {
      // It came with an earlier copy.
      if (!isMemoryError(error) || error.code !== 'conflict') throw error
    }
  }
  return added
}

interface Compared {
  readonly verified: number
  readonly differences: readonly string[]
}

/** Conversation by conversation, message by message; and what is only counted. */
async function compare(from: Store, to: Store, workspace: WorkspaceId): Promise<Compared> {
  const differences: string[] = []
  let verified = 0
  for await (const conversation of readConversations(from, workspace)) {
    const key = { workspace, conversation: conversation.id }
    const copy = await to.findConversation(key)
    const isSame =
      copy !== undefined &&
      describe(copy) === describe(conversation) &&
      (await digest(from, key)) === (await digest(to, key))
    if (isSame) verified += conversation.messageCount
    else differences.push(`the conversation "${conversation.id}" is not the same`)
  }
  const [one, other] = [await from.statistics(workspace), await to.statistics(workspace)]
  for (const what of ['pages', 'queries', 'documents', 'edits'] as const)
    if (one[what] > other[what]) differences.push(`of ${one[what]} ${what}, ${other[what]} are there`)
  return { verified, differences }
}

function describe({ title, tags, isPinned, archivedAt, isMemoryOn, messageCount }: Conversation): string {
  return JSON.stringify([title, tags, isPinned, archivedAt, isMemoryOn, messageCount])
}

async function digest(store: Store, key: Parameters<typeof readMessages>[1]): Promise<string> {
  const hash = createHash('sha256')
  for await (const message of readMessages(store, key)) hash.update(JSON.stringify(toCompared(message)))
  return hash.digest('hex')
}

const toCompared = ({ id, position, role, name, content, metadata, createdAt, erasedAt }: Message) =>
  definedFields({ id, position, role, name, content, metadata, createdAt, erasedAt })
