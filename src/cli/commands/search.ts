import type { Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import type { ConversationHit, Memory, MessageHit, Snippet } from '../../index.ts'
import { toCount } from '../arguments.ts'
import { dim, formatTime, print, printJson, yellow } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

interface SearchFlags {
  readonly in?: string
  readonly limit: number
  readonly cursor?: string
}

export function searchCommand(): Command {
  return newCommand('search', 'Search messages by words, newest first, and conversations by title and tags.')
    .argument('<words...>', 'words that must all occur; use quotes for "a phrase" and lis* for a prefix')
    .option('--in <conversation>', 'only in this conversation')
    .option('--limit <number>', 'maximum number of results', toCount, 20)
    .option('--cursor <cursor>', 'continue after the previous page')
    .addHelpText(
      'after',
      `\nExamples:\n  recollect search vegetarian\n  recollect search '"table for two"' --in trip`,
    )
    .action((words: string[], flags: SearchFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const found = await find(memory, words.join(' '), flags)
        if (isJson) printJson(found)
        else printFound(found)
      }),
    )
}

export interface Found {
  readonly conversations: readonly ConversationHit[]
  readonly messages: readonly MessageHit[]
  readonly next?: string
}

export async function find(memory: Memory, text: string, flags: SearchFlags): Promise<Found> {
  const { limit, cursor } = flags
  const isEverywhere = flags.in === undefined && cursor === undefined
  const conversations = isEverywhere ? (await memory.conversations.search(text, { limit: 5 })).items : []
  const page = await memory.messages.search(text, {
    limit,
    ...definedFields({ cursor, conversationId: flags.in }),
  })
  return { conversations, messages: page.items, ...definedFields({ next: page.next }) }
}

export function printFound({ conversations, messages, next }: Found): void {
  for (const { conversation, snippet } of conversations) {
    print(`${mark(snippet)} ${dim(`conversation ${conversation.id}`)}`)
  }
  for (const hit of messages) printHit(hit)
  if (conversations.length + messages.length === 0) print('No results.')
  if (next !== undefined) print(dim(`next page: --cursor ${next}`))
}

function printHit({ snippet, conversationId, position, createdAt }: MessageHit): void {
  print(mark(snippet), dim(`  ${conversationId} #${position} · ${formatTime(createdAt)}`))
}

function mark({ text, highlights }: Snippet): string {
  let marked = ''
  let at = 0
  for (const [start, end] of highlights) {
    marked += text.slice(at, start) + yellow(text.slice(start, end))
    at = end
  }
  return marked + text.slice(at)
}
