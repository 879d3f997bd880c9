// Memory blocks: small named texts that are part of every context. Each version is an edit of the kind `block`, so
// blocks are exported, copied and kept by a rebuild like all edits, and the last version is the current one.

import { definedFields } from '../domain/defined-fields.ts'
import { isMemoryError, MemoryError } from '../domain/errors.ts'
import { KeyedMutex } from '../domain/keyed-mutex.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import { check } from '../schemas/check.ts'
import { type BlockChanges, blockChanges, blockToolInput } from '../schemas/knowledge.ts'
import { checkName } from '../schemas/values.ts'
import type { Edit } from '../store/edits.ts'
import { type PageOptions, type PaginatedList, paginateArray } from './paginate.ts'

/** One version of a memory block. */
export interface MemoryBlock {
  /** A name of your choice: `profile`, `project`. */
  readonly name: string
  readonly text: string
  /** Increases with every update. */
  readonly version: number
  readonly updatedAt: Date
  readonly updatedBy: 'user' | 'model'
}

/**
 * Small named texts that every context includes and a model may edit: `memory.blocks`.
 *
 * @example
 * await memory.blocks.update('project', 'Website relaunch. Owner: Ana. Launch: 4 May.')
 * await memory.blocks.update('project', { replace: '4 May', text: '11 May' })
 * await memory.blocks.undo('project')
 */
export interface MemoryBlocks {
  /** The current blocks, by name. */
  list(options?: PageOptions): PaginatedList<MemoryBlock>
  get(name: string): Promise<MemoryBlock | undefined>
  /** Sets the text, at most 1,000 characters, or replaces one passage of it. */
  update(name: string, changes: string | BlockChanges): Promise<MemoryBlock>
  /** The last 50 versions, newest first. */
  history(name: string, options?: PageOptions): PaginatedList<MemoryBlock>
  /** Removes the current version. Returns the one before it, or undefined if the block no longer exists. */
  undo(name: string): Promise<MemoryBlock | undefined>
  /** Deletes the block with its history. True if there was one. */
  delete(name: string): Promise<boolean>
  /** Lets a model edit blocks: pass name, description and schema to your model, and its input to `execute`. */
  readonly tool: BlockTool
}

export interface BlockTool {
  readonly name: 'update_memory_block'
  readonly description: string
  /** JSON Schema. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** Never rejects for bad input: a model reads the error and tries again. */
  execute(input: unknown): Promise<{ readonly text: string } | { readonly error: string }>
}

/** The edit kind of a version. */
export const BLOCK = 'block'
const MAX_VERSIONS = 50
/** They share a quarter of the memory in the prompt prefix. */
const MAX_BLOCKS = 20

export function createBlocks(deps: WorkspaceDeps): MemoryBlocks {
  const { store, workspace, limits, now } = deps
  const mutex = new KeyedMutex()
  const accept = (name: unknown) => checkName(name, 'the name of a memory block', limits)
  const readVersions = async (name: string): Promise<readonly MemoryBlock[]> =>
    (await store.edits({ workspace, kinds: [BLOCK], key: accept(name) })).map(toBlock)
  const drop = (blocks: readonly MemoryBlock[]) =>
    store.deleteEdits(
      workspace,
      blocks.map(({ version }) => version),
    )

  async function update(name: string, changes: string | BlockChanges): Promise<MemoryBlock> {
    const given = typeof changes === 'string' ? { text: changes } : changes
    const { text, replace, by = 'user' } = check(blockChanges, given, { limits })
    const earlier = await readVersions(name)
    if (earlier.length === 0) needRoom(await readBlocks(deps))
    const whole = replace === undefined ? text : replaceOnce(name, earlier.at(-1), [replace, text])
    if (replace !== undefined) check(blockChanges, { text: whole }, { limits })
    const edit = { kind: BLOCK, key: accept(name), body: { text: whole, by } }
    const saved = await store.saveEdit(workspace, edit, { now: now() })
    await drop(earlier.slice(0, -(MAX_VERSIONS - 1)))
    return toBlock(saved)
  }

  async function undo(name: string): Promise<MemoryBlock | undefined> {
    const [last, before] = (await readVersions(name)).toReversed()
    if (last === undefined) throw noBlock(name)
    await drop([last])
    return before
  }

  const locked = {
    update: (name: string, changes: string | BlockChanges) =>
      mutex.run(accept(name), () => update(name, changes)),
    undo: (name: string) => mutex.run(accept(name), () => undo(name)),
  }
  return {
    ...locked,
    list: (options) =>
      paginateArray(
        () => readBlocks(deps),
        options,
        ({ name }) => name,
      ),
    get: async (name) => (await readVersions(name)).at(-1),
    history: (name, options) =>
      paginateArray(
        async () => (await readVersions(name)).toReversed(),
        options,
        ({ version }) => String(version),
      ),
    delete: async (name) => (await drop(await readVersions(name))) > 0,
    tool: createTool(locked.update),
  }
}

async function readBlocks({ store, workspace }: WorkspaceDeps): Promise<readonly MemoryBlock[]> {
  return toBlocks(await store.edits({ workspace, kinds: [BLOCK] }))
}

/** The last version of each block, by name. */
export function toBlocks(edits: readonly Edit[]): readonly MemoryBlock[] {
  const current = new Map(edits.map((edit) => [edit.key, toBlock(edit)]))
  return [...current.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}

const toBlock = ({ id, key, body, createdAt }: Edit): MemoryBlock => ({
  name: key,
  text: String(body['text'] ?? ''),
  version: id,
  updatedAt: createdAt,
  updatedBy: body['by'] === 'model' ? 'model' : 'user',
})

const noBlock = (name: string): MemoryError =>
  new MemoryError('not-found', `there is no memory block "${name}"`, {
    hint: 'list() has the names; update(name, text) creates a block',
  })

function needRoom(blocks: readonly MemoryBlock[]): void {
  if (blocks.length < MAX_BLOCKS) return
  throw new MemoryError('invalid-input', `there are already ${MAX_BLOCKS} memory blocks`, {
    hint: 'delete one, or add the text to another',
  })
}

function replaceOnce(
  name: string,
  block: MemoryBlock | undefined,
  [passage, by]: readonly [string, string],
): string {
  if (block === undefined) throw noBlock(name)
  const { length: pieces, 0: before, 1: after } = block.text.split(passage)
  if (pieces === 2) return `${before}${by}${after}`
  throw new MemoryError(
    'invalid-input',
    `the passage to replace occurs ${pieces - 1} times in the memory block "${name}"`,
    { hint: 'pass a passage that occurs exactly once, or leave out `replace` to set the whole text' },
  )
}

function createTool(update: MemoryBlocks['update']): BlockTool {
  return {
    name: 'update_memory_block',
    description:
      'Updates a memory block: a short text, such as "profile" or "project", that is part of every conversation ' +
      'with this user. Use it for what stays true and useful, and replace what is no longer true.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name of the block, for example "profile".' },
        text: { type: 'string', description: 'The new text, or what to put in place of `replace`.' },
        replace: { type: 'string', description: 'A passage that occurs once; the rest of the block stays.' },
      },
      required: ['name', 'text'],
      additionalProperties: false,
    },
    async execute(input) {
      try {
        const { name, text, replace } = check(blockToolInput, input)
        return { text: (await update(name, { text, by: 'model', ...definedFields({ replace }) })).text }
      } catch (error) {
        if (!isMemoryError(error) || !['invalid-input', 'not-found'].includes(error.code)) throw error
        return { error: [error.message, error.hint].filter(Boolean).join('; ') }
      }
    },
  }
}
