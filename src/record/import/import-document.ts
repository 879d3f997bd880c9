// Imports a document of a Recollect export. A document with the same id or content is not changed.

import {
  BLOCK_KINDS,
  type Block,
  type BlockKind,
  DOCUMENT_FORMATS,
  type DocumentText,
} from '../../domain/document.ts'
import { MemoryError } from '../../domain/errors.ts'
import { check } from '../../schemas/check.ts'
import { text as wellFormedText } from '../../schemas/values.ts'
import { acceptChoice, acceptFlag, acceptName } from '../accept.ts'
import { acceptDocumentId, cutDocument } from '../documents/add-document.ts'
import { Pace } from '../documents/pace.ts'
import type { ExportedBlock, ExportedDocument } from '../export/export-json.ts'
import type { WorkspaceDeps } from '../record.ts'
import { toTime } from './read-export.ts'

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
