import { definedFields } from '../domain/defined-fields.ts'
import { type Documents, isMemoryError, type NewDocument, type SavedDocument } from '../index.ts'
import { madeId } from './made-id.ts'
import type { SentDocument } from './schemas/document.ts'

/** A document as it was sent. The name that the file had elsewhere is a label: no path is ever made of it. */
export async function toDocument({ name, content, file, mediaType }: SentDocument): Promise<NewDocument> {
  return {
    name: labelOf(name ?? file?.name ?? ''),
    content: file === undefined ? (content ?? '') : new Uint8Array(await file.arrayBuffer()),
    ...definedFields({ mediaType: mediaType ?? guessedType(file) }),
  }
}

const labelOf = (name: string): string => name.replace(/^.*[/\\]/s, '')

/** What programs write where they do not know: the ending of the name tells better. */
const VAGUE: readonly string[] = ['', 'application/octet-stream', 'text/plain']

function guessedType(file: File | undefined): string | undefined {
  const type = file?.type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return VAGUE.includes(type) ? undefined : type
}

/** A repeated request finds the document that the first made, also after it was replaced. */
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
    // The same content is there under another id.
    return there === undefined ? documents.add(document) : { ...there, isNew: false }
  }
}
