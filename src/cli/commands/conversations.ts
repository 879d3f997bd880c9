import { type Command, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import {
  type Conversation,
  type ConversationChanges,
  type ConversationHit,
  type ConversationListOptions,
  type Memory,
  MemoryError,
  type Message,
  type MessageHit,
  readableText,
  type Snippet,
} from '../../index.ts'
import { collect, toCount } from '../arguments.ts'
import {
  bold,
  clip,
  countOf,
  dim,
  formatCount,
  formatTime,
  print,
  printJson,
  printTable,
  yellow,
} from '../terminal.ts'
import { needConversation, newCommand, withMemory } from '../with-memory.ts'

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

interface ShowFlags {
  readonly after?: number
  readonly before?: number
  readonly limit: number
}

export function showCommand(): Command {
  return newCommand('show', 'Show the messages of a conversation.')
    .argument('<conversation>', 'id of the conversation')
    .option('--after <position>', 'only messages after this position', toCount)
    .option('--before <position>', 'only messages before this position', toCount)
    .option(
      '--limit <number>',
      'maximum number of messages; the latest ones unless --after is given',
      toCount,
      20,
    )
    .action((id: string, { after, before, limit }: ShowFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const handle = await needConversation(memory, id)
        const direction = after === undefined ? 'backwards' : 'forwards'
        const messages = (
          await handle.messages.list({ limit, direction, ...definedFields({ after, before }) })
        ).items
        const conversation = await handle.get()
        if (isJson) return printJson({ conversation, messages })
        if (conversation !== undefined) printHeader(conversation)
        for (const message of messages) printMessage(message)
      }),
    )
}

function printHeader({ id, title, messageCount, tokenCount, forkedFrom }: Conversation): void {
  const fork = forkedFrom === undefined ? '' : ` · forked from ${forkedFrom.conversationId}`
  print(
    bold(title ?? id),
    dim(`${id} · ${countOf(messageCount, 'message')} · ${countOf(tokenCount, 'token')}${fork}`),
    '',
  )
}

function printMessage(message: Message): void {
  const { position, role, name, createdAt, id } = message
  print(`${bold(name ?? role)} ${dim(`#${position} · ${formatTime(createdAt)} · ${id}`)}`)
  print(toText(message), '')
}

function toText({ content, erasedAt, isDamaged }: Message): string {
  if (erasedAt !== undefined) return dim('(erased)')
  return isDamaged ? dim('(damaged, run `recollect doctor`)') : readableText(content)
}

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
        else printSearchResult(found)
      }),
    )
}

export interface SearchResult {
  readonly conversations: readonly ConversationHit[]
  readonly messages: readonly MessageHit[]
  readonly next?: string
}

export async function find(memory: Memory, text: string, flags: SearchFlags): Promise<SearchResult> {
  const { limit, cursor } = flags
  const isEverywhere = flags.in === undefined && cursor === undefined
  const conversations = isEverywhere ? (await memory.conversations.search(text, { limit: 5 })).items : []
  const page = await memory.messages.search(text, {
    limit,
    ...definedFields({ cursor, conversationId: flags.in }),
  })
  return { conversations, messages: page.items, ...definedFields({ next: page.next }) }
}

export function printSearchResult({ conversations, messages, next }: SearchResult): void {
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

interface EditFlags {
  readonly title?: string
  readonly autoTitle?: boolean
  readonly tag?: readonly string[]
  readonly tags?: boolean
  readonly pin?: boolean
  readonly archive?: boolean
  readonly memory?: boolean
  readonly document?: readonly string[]
}

export function editCommand(): Command {
  return newCommand('edit', 'Rename, tag, pin or archive a conversation, or attach documents to it.')
    .argument('<conversation>', 'id of the conversation')
    .option('--title <title>', 'set the title')
    .option('--auto-title', 'remove the title you set and use an automatic one')
    .option('--tag <tag>', 'replace the tags; repeat for several', collect)
    .option('--no-tags', 'remove all tags')
    .option('--pin', 'pin it')
    .option('--no-pin', 'unpin it')
    .option('--archive', 'archive it')
    .option('--no-archive', 'unarchive it')
    .option('--memory', 'turn memory on: other conversations can use it')
    .option('--no-memory', 'turn memory off: nothing is derived from it')
    .option('--document <id>', 'replace the attached documents; repeat for several', collect)
    .addHelpText('after', '\nExample:\n  recollect edit trip --title "Lisbon in May" --tag travel --pin')
    .action((id: string, flags: EditFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const changes = toChanges(flags, command)
        if (Object.keys(changes).length === 0) {
          throw new MemoryError('invalid-input', 'no changes given', {
            hint: 'see the options with: recollect edit --help',
          })
        }
        const changed = await memory.conversation(id).update(changes)
        if (isJson) printJson(changed)
        else print(`Updated ${changed.title ?? changed.id}.`)
      }),
    )
}

function toChanges(flags: EditFlags, command: Command): ConversationChanges {
  // Commander defaults an option with a --no- form to true.
  const isSet = (name: string) => command.getOptionValueSource(name) === 'cli'
  return {
    ...definedFields({ title: flags.title }),
    ...(flags.autoTitle && { title: null }),
    ...definedFields({ tags: flags.tag }),
    ...(isSet('tags') && flags.tags === false && { tags: [] }),
    ...(isSet('pin') && flags.pin !== undefined && { isPinned: flags.pin }),
    ...(isSet('archive') && flags.archive !== undefined && { isArchived: flags.archive }),
    ...(isSet('memory') && flags.memory !== undefined && { isMemoryOn: flags.memory }),
    ...definedFields({ documents: flags.document }),
  }
}

export function forkCommand(): Command {
  return newCommand('fork', 'Copy a conversation up to and including a message into a new one.')
    .argument('<conversation>', 'id of the conversation')
    .argument('<message>', 'id of the last message to copy')
    .option('--id <id>', 'id of the new conversation (default: generated)')
    .option('--title <title>', 'title of the new conversation (default: same title)')
    .action((from: string, message: string, flags: { id?: string; title?: string }, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const fork = await memory.conversation(from).fork(message, flags)
        if (isJson) printJson(fork)
        else print(`${fork.id}  ${countOf(fork.messageCount, 'message')}`)
      }),
    )
}
