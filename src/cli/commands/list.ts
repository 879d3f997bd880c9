import { type Command, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import type { Conversation, ConversationListOptions } from '../../index.ts'
import { toCount } from '../arguments.ts'
import { clip, dim, formatCount, formatTime, print, printJson, printTable } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

interface ListFlags {
  readonly archived: NonNullable<ConversationListOptions['archived']>
  readonly tag?: string
  readonly pinned?: boolean
  readonly limit: number
  readonly cursor?: string
}

export function listCommand(): Command {
  return newCommand('list', 'List conversations, most recently used first.')
    .addOption(
      new Option('--archived <which>', 'whether to include archived conversations')
        .choices(['without', 'only', 'with'])
        .default('without'),
    )
    .option('--tag <tag>', 'only conversations with this tag')
    .option('--pinned', 'only pinned conversations')
    .option('--limit <number>', 'maximum number of results', toCount, 50)
    .option('--cursor <cursor>', 'continue after the previous page')
    .action((flags: ListFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const { archived, tag, pinned, limit, cursor } = flags
        const page = await memory.conversations.list({
          archived,
          limit,
          ...definedFields({ tag, isPinned: pinned, cursor }),
        })
        if (isJson) return printJson(page)
        if (page.items.length === 0)
          return print('No conversations yet. Record one with: recollect record chat "Hello"')
        printTable([['last used', 'messages', 'id', 'title'], ...page.items.map(toRow)])
        if (page.next !== undefined) print(dim(`next page: --cursor ${page.next}`))
      }),
    )
}

function toRow({ lastUsedAt, messageCount, id, title, isPinned, archivedAt, tags }: Conversation): string[] {
  const marks = [isPinned ? '[pinned]' : '', archivedAt ? '[archived]' : '', ...tags.map((tag) => `#${tag}`)]
  return [formatTime(lastUsedAt), formatCount(messageCount), id, clip([title ?? '', ...marks].join(' '), 70)]
}
