// Copies from one store to another, of any kind: `import` reads what `export` writes, workspace by workspace.
// Keys are not part of an export and are copied separately. Then both sides are read and compared. Existing
// data is not written again, so repeating an interrupted copy completes it.

import { createHash } from 'node:crypto'
import type { Conversation } from '../domain/conversation.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { isMemoryError, MemoryError } from '../domain/errors.ts'
import type { WorkspaceId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { ImportCounts } from '../record/import/imported.ts'
import { readConversations, readMessages } from '../store/read-pages.ts'
import type { OnProgress, Store } from '../store/store.ts'
import type { Workspace } from './workspace.ts'

export interface CopyOptions {
  /** @default all */
  readonly workspaces?: readonly string[]
  /** Called now and then with the number of messages written in one workspace. */
  readonly onProgress?: (workspace: string, ...progress: Parameters<OnProgress>) => void
}

/** The result of copying one workspace. */
export interface CopiedWorkspace extends ImportCounts {
  readonly workspace: WorkspaceId
  /** New keys. */
  readonly keys: number
  /** The number of messages that are the same on both sides: content, time and speaker. */
  readonly verifiedMessages: number
  /** What differs between the two sides, a sentence each; empty if the copy is exact. */
  readonly differences: readonly string[]
}

interface Side {
  readonly memory: { workspace(id: string): Workspace }
  readonly store: Store
}

export async function copyMemory(
  from: Side,
  to: Side,
  options: CopyOptions = {},
): Promise<readonly CopiedWorkspace[]> {
  const isSame = from.store.location === to.store.location && from.store.location !== ':memory:'
  if (from.store === to.store || isSame)
    throw new MemoryError('invalid-input', 'a memory cannot be copied to itself')
  const workspaces = options.workspaces ?? (await from.store.listWorkspaces())
  const copied: CopiedWorkspace[] = []
  for (const workspace of workspaces) copied.push(await copyWorkspace(options, { from, to, workspace }))
  return copied
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
  const source = from.memory.workspace(workspace)
  const pieces = source.export({ onProgress: onMessages })
  const { problems, format: _, ...counts } = await to.memory.workspace(workspace).import(pieces)
  const id = source.workspaceId
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
      // It was copied earlier.
      if (!isMemoryError(error) || error.code !== 'conflict') throw error
    }
  }
  return added
}

interface Compared {
  readonly verified: number
  readonly differences: readonly string[]
}

/** Compares conversations with all their messages, and everything else by count. */
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
