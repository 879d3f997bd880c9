// Imports edits of a Recollect export. Ids are assigned by the store, so an edit is identified by its content. Equal
// edits are counted: importing twice adds nothing. An edit whose source messages were erased here is not imported.

import { z } from 'zod'
import {
  BLOCK_KINDS,
  type Block,
  type BlockKind,
  DOCUMENT_FORMATS,
  type DocumentText,
} from '../../domain/document.ts'
import { MemoryError } from '../../domain/errors.ts'
import { conversationId, type MessageId, messageId } from '../../domain/ids.ts'
import type { ResolvedLimits } from '../../options/limit-options.ts'
import { check } from '../../schemas/check.ts'
import { id, jsonObject, list, name, text as wellFormedText } from '../../schemas/values.ts'
import type { Edit, NewEdit } from '../../store/edits.ts'
import { readEdits } from '../../store/read-pages.ts'
import { acceptChoice, acceptFlag, acceptName } from '../accept.ts'
import { acceptDocumentId, cutDocument } from '../documents/add-document.ts'
import { Pace } from '../documents/pace.ts'
import type { ExportedBlock, ExportedDocument, ExportedEdit } from '../export/export-json.ts'
import type { WorkspaceDeps } from '../record.ts'
import type { ImportLog } from './imported.ts'
import { toTime } from './read-export.ts'

type Identified = Pick<Edit, 'kind' | 'key' | 'body' | 'conversation' | 'createdAt'>

export class EditImport {
  readonly #deps: WorkspaceDeps
  readonly #log: ImportLog
  readonly #isDryRun: boolean
  /** Per identity: how many stored edits were not matched by the export yet. */
  #known: Map<string, number> | undefined

  constructor(deps: WorkspaceDeps, log: ImportLog, isDryRun: boolean) {
    this.#deps = deps
    this.#log = log
    this.#isDryRun = isDryRun
  }

  async add(exported: ExportedEdit): Promise<void> {
    const { createdAt, position, ...edit } = this.#accept(exported)
    if (await this.#isKnown({ ...edit, createdAt })) return
    const sources = await this.#findSources(edit.sources ?? [])
    if (sources === undefined) return
    const { store, workspace } = this.#deps
    if (!this.#isDryRun) {
      await store.saveEdit(workspace, { ...edit, sources }, { now: createdAt, position })
    }
    this.#log.add({ edits: 1 })
  }

  #accept(exported: ExportedEdit): NewEdit & Pick<Edit, 'createdAt' | 'position'> {
    const { createdAt, expiresAt, conversation, ...rest } = exported
    const { position, ...edit } = acceptEdit(rest, this.#deps.limits)
    return {
      ...edit,
      position,
      createdAt: toTime(createdAt),
      ...(conversation !== undefined && { conversation: conversationId(String(conversation)) }),
      ...(expiresAt !== undefined && { expiresAt: toTime(expiresAt) }),
    }
  }

  async #isKnown(edit: Identified): Promise<boolean> {
    this.#known ??= await this.#countAll()
    const identity = identityOf(edit)
    const left = this.#known.get(identity) ?? 0
    if (left > 0) this.#known.set(identity, left - 1)
    return left > 0
  }

  async #countAll(): Promise<Map<string, number>> {
    const counts = new Map<string, number>()
    const { store, workspace } = this.#deps
    for await (const edit of readEdits(store, { workspace })) {
      const identity = identityOf(edit)
      counts.set(identity, (counts.get(identity) ?? 0) + 1)
    }
    return counts
  }

  /** The sources that exist here; undefined if one of them was erased. */
  async #findSources(ids: readonly MessageId[]): Promise<readonly MessageId[] | undefined> {
    const { store, workspace } = this.#deps
    const messages = await Promise.all(ids.map((id) => store.findMessage(workspace, id)))
    if (messages.some((message) => message?.erasedAt !== undefined)) return undefined
    return messages.flatMap((message) => message?.id ?? [])
  }
}

function identityOf({ kind, key, body, conversation, createdAt }: Identified): string {
  return JSON.stringify([conversation ?? null, kind, key, body, createdAt])
}

const exportedEdit = z
  .object({
    kind: id,
    // May be a whole sentence.
    key: name('metadataBytes'),
    body: jsonObject('messageBytes'),
    sources: list(id).optional(),
    position: z.int().min(0),
  })
  .meta({ title: 'an edit' })

/** An edit of an export, checked: it comes from a file. */
function acceptEdit(
  edit: unknown,
  limits: ResolvedLimits,
): Pick<Edit, 'kind' | 'key' | 'body' | 'sources' | 'position'> {
  const { sources = [], ...fields } = check(exportedEdit, edit, { limits })
  return { ...fields, sources: sources.map(messageId) }
}

// Imports a document of a Recollect export. A document with the same id or content is not changed.

/** Returns whether it is new. */
export async function importDocument(
  deps: WorkspaceDeps,
  exported: ExportedDocument,
  isDryRun: boolean,
): Promise<boolean> {
  const { store, workspace, limits } = deps
  const key = { workspace, document: acceptDocumentId(exported.id, limits) }
  const contentHash = acceptHash(exported.contentHash)
  const known = (await store.findDocument(key)) ?? (await store.findDocumentByContent(workspace, contentHash))
  if (known !== undefined) return false
  const name = acceptName(exported.name, { what: 'the name of a document', most: limits.titleCharacters })
  const content = acceptContent(exported)
  if (isDryRun) return true
  const chunked = await cutDocument(deps, { name, content, pace: new Pace() })
  const { isNew } = await store.importDocument({
    ...key,
    accepted: {
      name,
      mediaType: acceptName(exported.mediaType, { what: 'a media type', most: limits.idCharacters }),
      format: acceptChoice(exported.format, { what: 'the format of a document', choices: DOCUMENT_FORMATS }),
      contentHash,
      bytes: acceptWhole(exported.bytes, 'bytes'),
      content,
      ...chunked,
    },
    version: Math.max(1, acceptWhole(exported.version, 'version')),
    isWorkspaceWide: acceptFlag(exported.isWorkspaceWide, 'isWorkspaceWide'),
    createdAt: toTime(exported.createdAt),
    updatedAt: toTime(exported.updatedAt),
  })
  return isNew
}

function acceptHash(hash: unknown): string {
  if (typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash)) return hash
  throw new MemoryError('invalid-input', 'contentHash must be a SHA-256 in hexadecimal')
}

function acceptWhole(value: unknown, what: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number
  throw new MemoryError('invalid-input', `${what} must be a whole number, not ${JSON.stringify(value)}`)
}

function acceptContent({ text, blocks }: ExportedDocument): DocumentText {
  if (typeof text !== 'string' || !Array.isArray(blocks)) {
    throw new MemoryError('invalid-input', 'a document must have text and blocks')
  }
  check(wellFormedText, text, { what: 'the text of a document' })
  if (text.includes('\u0000')) throw new MemoryError('invalid-input', 'the text of a document contains NUL')
  let last = 0
  const accepted = blocks.map((block) => {
    const checked = acceptBlock(block, { from: last, to: text.length })
    last = checked.end
    return checked
  })
  return { text, blocks: accepted }
}

/** Blocks must be in order, within the text, without overlap. */
function acceptBlock(block: ExportedBlock, { from, to }: { from: number; to: number }): Block {
  const [kind, start = -1, end = -1, level, title] = Array.isArray(block) ? (block as ExportedBlock) : []
  const isPlace = Number.isSafeInteger(start) && Number.isSafeInteger(end)
  if (!isPlace || start < from || end < start || end > to) {
    throw new MemoryError('invalid-input', `invalid block range: ${JSON.stringify(block).slice(0, 100)}`)
  }
  const known: BlockKind = acceptChoice(kind, { what: 'the kind of a block', choices: BLOCK_KINDS })
  if (known !== 'heading') return { kind: known, start, end }
  return {
    kind: known,
    start,
    end,
    level: acceptWhole(level, 'level'),
    title: String(title ?? '').toWellFormed(),
  }
}
