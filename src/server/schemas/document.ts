import { z } from 'zod'
import type { Chunk, Document, SavedDocument } from '../../index.ts'
import { object } from '../../schemas/values.ts'
import type { WireSchema } from '../../schemas/wire.ts'
import { id, time } from './values.ts'

const fields = {
  id: z.string(),
  name: z.string(),
  mediaType: z.string(),
  format: z.enum(['text', 'markdown', 'html', 'pdf', 'docx', 'csv', 'json', 'code']),
  version: z.int().meta({ description: '1, and one more with each replacement.' }),
  contentHash: z.string().meta({ description: 'SHA-256 of the file, in hexadecimal.' }),
  bytes: z.int(),
  characters: z.int(),
  tokens: z.int(),
  tokenizer: z.string(),
  chunkCount: z.int(),
  isWorkspaceWide: z.boolean().meta({ description: 'Every conversation sees it.' }),
  conversationIds: z.array(z.string()),
  createdAt: time,
  updatedAt: time,
}

export const document: WireSchema<Document> = z.object(fields).meta({ id: 'Document' })

export const savedDocument: WireSchema<SavedDocument> = z
  .object({
    ...fields,
    isNew: z.boolean().meta({ description: 'False where this content was there already.' }),
  })
  .meta({ id: 'SavedDocument' })

export const chunk: WireSchema<Chunk> = z
  .object({
    id: z.string(),
    documentId: z.string(),
    version: z.int(),
    index: z.int(),
    headingPath: z.array(z.string()),
    text: z.string(),
    tokens: z.int(),
    start: z.int(),
    end: z.int(),
  })
  .meta({ id: 'Chunk' })

/** A document as text in JSON, or as a file in a form. */
export interface SentDocument {
  readonly name?: string | undefined
  readonly content?: string
  readonly file?: File
  readonly mediaType?: string | undefined
}

export interface SentNewDocument extends SentDocument {
  readonly id?: string | undefined
  readonly conversationId?: string | undefined
}

const name = id.meta({
  description: 'What it is called. Its ending tells what it is; folders before it are left out.',
})
const mediaType = id
  .optional()
  .meta({ description: 'Told by the ending of the name, else by how it begins, unless given.' })
const content = z.string().meta({ description: 'The text of the file. PDF and DOCX come in a form.' })
const file = z.instanceof(File).meta({ described: { schema: { type: 'string', format: 'binary' } } })

const place = {
  id: id.optional().meta({ description: 'An id of your choice; made unless given.' }),
  conversationId: id.optional().meta({
    description: 'Only this conversation sees it, which is made if it is missing; all see it unless given.',
  }),
}

export const newDocument: z.ZodType<SentNewDocument, SentNewDocument> = object('the document', {
  name,
  content,
  mediaType,
  ...place,
}).meta({ id: 'NewDocument' })
export const newDocumentForm: z.ZodType<SentNewDocument, SentNewDocument> = object('the document', {
  file,
  name: name.optional(),
  mediaType,
  ...place,
}).meta({ id: 'NewDocumentForm' })

export const replacement: z.ZodType<SentDocument, SentDocument> = object('the document', {
  name: name.optional(),
  content,
  mediaType,
}).meta({ id: 'DocumentReplacement' })
export const replacementForm: z.ZodType<SentDocument, SentDocument> = object('the document', {
  file,
  name: name.optional(),
  mediaType,
}).meta({ id: 'DocumentReplacementForm' })
