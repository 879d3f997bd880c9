import type { Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { type Conversation, type Message, readableText } from '../../index.ts'
import { toCount } from '../arguments.ts'
import { bold, countOf, dim, formatTime, print, printJson } from '../terminal.ts'
import { needConversation, newCommand, withMemory } from '../with-memory.ts'

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
