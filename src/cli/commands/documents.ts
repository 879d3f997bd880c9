import type { Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { type Chunk, type Document, type Memory, MemoryError } from '../../index.ts'
import { confirm, toCount } from '../arguments.ts'
import {
  clip,
  dim,
  formatBytes,
  formatCount,
  formatTime,
  print,
  printJson,
  printTable,
  yellow,
} from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'
import { addDocumentCommand, replaceDocumentCommand } from './document-add.ts'
import { ERASE_DONE, ERASE_PENDING } from './erase.ts'

interface ListFlags {
  readonly conversation?: string
  readonly limit?: number
  readonly cursor?: string
}

export function documentsCommand(): Command {
  return newCommand('documents', 'List documents, newest first.')
    .option('--conversation <id>', 'only those attached to this conversation')
    .option('--limit <number>', 'maximum number of results (default: 50)', toCount)
    .option('--cursor <cursor>', 'continue after the previous page')
    .addHelpText('after', '\nTo add, show, replace, attach or erase one: recollect document --help')
    .action((flags: ListFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const { limit, cursor, conversation } = flags
        const page = await memory.documents.list(
          definedFields({ conversationId: conversation, limit, cursor }),
        )
        if (isJson) return printJson(page)
        if (page.items.length === 0)
          return print('No documents yet. Add one with: recollect document add handbook.pdf')
        printTable([
          ['id', 'name', 'format', 'version', 'tokens', 'chunks', 'available to', 'updated'],
          ...page.items.map(toRow),
        ])
        if (page.next !== undefined) print(dim(`next page: --cursor ${page.next}`))
      }),
    )
}

function toRow(document: Document): readonly string[] {
  return [
    document.id,
    clip(document.name, 40),
    document.format,
    String(document.version),
    formatCount(document.tokens),
    formatCount(document.chunkCount),
    clip(availability(document), 40),
    formatTime(document.updatedAt),
  ]
}

function availability({ isWorkspaceWide, conversationIds }: Document): string {
  if (isWorkspaceWide) return 'all'
  return conversationIds.length === 0 ? 'none' : conversationIds.join(', ')
}

/** Prints all details of a document. */
function printDocument(document: Document): void {
  const { name, id, mediaType, version, bytes, characters, tokens, chunkCount, contentHash } = document
  print(
    name,
    dim(`id             ${id}`),
    `type           ${mediaType} (${document.format})`,
    `version        ${version}, since ${formatTime(document.updatedAt)}`,
    `file           ${formatBytes(bytes)}, SHA-256 ${contentHash.slice(0, 16)}…`,
    `text           ${formatCount(characters)} characters, ${formatCount(tokens)} tokens, ${formatCount(chunkCount)} chunks`,
    `available to   ${availability(document)}`,
  )
}

export function documentCommand(): Command {
  const document = newCommand('document', 'Add, show, replace, attach, detach or erase a document.')
  const parts = [
    addDocumentCommand,
    showCommand,
    replaceDocumentCommand,
    attachCommand,
    detachCommand,
    eraseCommand,
  ]
  for (const part of parts) document.addCommand(part())
  return document
}

async function needDocument(memory: Memory, id: string): Promise<Document> {
  const document = await memory.documents.get(id)
  if (document !== undefined) return document
  throw new MemoryError('not-found', `no document "${id}"`, {
    hint: 'list them with: recollect documents',
  })
}

function showCommand(): Command {
  return newCommand('show', 'Show a document, its text or its chunks.')
    .argument('<id>', 'id of the document')
    .option('--text', 'print the text')
    .option('--chunks', 'print the chunks')
    .action((id: string, flags: ShowFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const document = await needDocument(memory, id)
        const content = await readContent(memory, id, flags)
        if (isJson) printJson({ ...document, ...content })
        else printContent(document, content)
      }),
    )
}

interface ShowFlags {
  readonly text?: boolean
  readonly chunks?: boolean
}

interface Content {
  readonly text?: string
  readonly chunks?: readonly Chunk[]
}

async function readContent(memory: Memory, id: string, flags: ShowFlags): Promise<Content> {
  return definedFields({
    text: flags.text ? await memory.documents.text(id) : undefined,
    chunks: flags.chunks ? await readChunks(memory, id) : undefined,
  })
}

function printContent(document: Document, { text, chunks = [] }: Content): void {
  if (text !== undefined) print(text)
  for (const chunk of chunks) printChunk(chunk)
  if (text === undefined && chunks.length === 0) printDocument(document)
}

const READ_AT_ONCE = 500

async function readChunks(memory: Memory, id: string): Promise<readonly Chunk[]> {
  const chunks: Chunk[] = []
  for (;;) {
    const more = (await memory.documents.chunks(id, { after: chunks.length - 1, limit: READ_AT_ONCE })).items
    chunks.push(...more)
    if (more.length < READ_AT_ONCE) return chunks
  }
}

function printChunk({ index, headingPath, tokens, text }: Chunk): void {
  const path = headingPath.length === 0 ? '' : ` · ${headingPath.join(' › ')}`
  print(dim(`── ${index} · ${tokens} tokens${path}`), text, '')
}

function attachCommand(): Command {
  return changeCommand(
    'attach',
    'Make a document available to a conversation, or to all.',
    (memory, id, to) => memory.documents.attach(id, to),
  )
}

function detachCommand(): Command {
  return changeCommand('detach', 'Detach a document from a conversation, or from all.', (memory, id, from) =>
    memory.documents.detach(id, from),
  )
}

type Change = (memory: Memory, id: string, target: { conversationId?: string }) => Promise<Document>

function changeCommand(name: string, description: string, change: Change): Command {
  return newCommand(name, description)
    .argument('<id>', 'id of the document')
    .option('--conversation <id>', 'id of the conversation (default: all)')
    .action((id: string, { conversation }: { conversation?: string }, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const document = await change(memory, id, definedFields({ conversationId: conversation }))
        if (isJson) printJson(document)
        else printDocument(document)
      }),
    )
}

function eraseCommand(): Command {
  return newCommand('erase', 'Permanently erase a document with all its versions.')
    .argument('<id>', 'id of the document')
    .option('--yes', 'skip the confirmation')
    .action((id: string, { yes = false }: { yes?: boolean }, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const { name } = await needDocument(memory, id)
        await confirm(`Erase the document "${name}"? This can't be undone.`, yes)
        const erased = await memory.documents.erase(id)
        if (isJson) return printJson(erased)
        print(`Erased ${name}.`)
        print(erased.isScrubbed ? ERASE_DONE : yellow(ERASE_PENDING))
      }),
    )
}
