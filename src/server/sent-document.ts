import { definedFields } from '../domain/defined-fields.ts'
import { type Documents, isMemoryError, type NewDocument, type SavedDocument } from '../index.ts'
import { madeId } from './made-id.ts'
import type { SentDocument } from './schemas/document.ts'

/** Converts an uploaded document. The original file name is only a label: it is never used as a path. */
export async function toDocument({ name, content, file, mediaType }: SentDocument): Promise<NewDocument> {
  return {
    name: labelOf(name ?? file?.name ?? ''),
    content: file === undefined ? (content ?? '') : new Uint8Array(await file.arrayBuffer()),
    ...definedFields({ mediaType: mediaType ?? guessedType(file) }),
  }
}

const labelOf = (name: string): string => name.replace(/^.*[/\\]/s, '')

/** Media types that programs send if they don't know better: the file extension is more reliable. */
const VAGUE: readonly string[] = ['', 'application/octet-stream', 'text/plain']

function guessedType(file: File | undefined): string | undefined {
  const type = file?.type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return VAGUE.includes(type) ? undefined : type
}

/** A repeated request returns the document that the first one created, even if it was replaced since. */
export async function addOnce(
  documents: Documents,
  document: NewDocument,
  idempotencyKey: string | undefined,
): Promise<SavedDocument> {
  const made = document.id === undefined ? madeId(idempotencyKey, 'document') : undefined
  if (made === undefined) return documents.add(document)
  try {
    return await documents.add({ ...document, id: made })
  } catch (error) {
    if (!isMemoryError(error) || error.code !== 'conflict') throw error
    const there = await documents.get(made)
    // The same content exists under another id.
    return there === undefined ? documents.add(document) : { ...there, isNew: false }
  }
}
