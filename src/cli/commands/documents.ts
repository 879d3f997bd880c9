import type { Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import type { Document } from '../../index.ts'
import { toCount } from '../arguments.ts'
import { clip, dim, formatBytes, formatCount, formatTime, print, printJson, printTable } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

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
export function printDocument(document: Document): void {
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
