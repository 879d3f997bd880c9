// The export for people: who said what, when, with tool calls and results as code.

import type { Conversation } from '../../domain/conversation.ts'
import { type Message, type Part, partsOf } from '../../domain/message.ts'
import { readMessages } from '../../store/read-pages.ts'
import type { Store } from '../../store/store.ts'
import { documentsAsMarkdown } from './documents-markdown.ts'
import type { ExportRequest } from './export-request.ts'
import { fence, toMinute } from './markdown.ts'
import { pagesAsMarkdown } from './pages-markdown.ts'

export async function* exportMarkdown(store: Store, request: ExportRequest): AsyncGenerator<string> {
  for await (const conversation of request.conversations) {
    yield heading(conversation)
    const key = { workspace: request.workspace, conversation: conversation.id }
    for await (const message of readMessages(store, key)) {
      yield renderMessage(message)
      request.onMessage?.()
    }
  }
  yield* pagesAsMarkdown(store, request)
  yield* documentsAsMarkdown(store, request)
}

function heading(conversation: Conversation): string {
  const { title, id, tags, forkedFrom, createdAt } = conversation
  const about = [`Conversation \`${id}\``, `begun ${toMinute(createdAt)}`]
  if (tags.length > 0) about.push(`tags: ${tags.join(', ')}`)
  if (forkedFrom !== undefined) {
    about.push(`forked from \`${forkedFrom.conversationId}\` after message ${forkedFrom.position + 1}`)
  }
  return `# ${title ?? id}\n\n${about.join(' · ')}\n\n`
}

function renderMessage(message: Message): string {
  const speaker = message.name ?? message.role.charAt(0).toUpperCase() + message.role.slice(1)
  return `## ${speaker} · ${toMinute(message.createdAt)}\n\n${renderBody(message)}\n\n`
}

function renderBody({ content, erasedAt, isDamaged }: Message): string {
  if (erasedAt !== undefined) return '*(erased)*'
  return isDamaged ? '*(damaged)*' : partsOf(content).map(renderPart).join('\n\n')
}

function renderPart(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return part.text.replaceAll(/^/gm, '> ')
    case 'image':
      return `![image](${part.url})`
    case 'file':
      return `[${part.name ?? 'file'}](${part.url})`
    case 'tool-call':
      return `Calls \`${part.toolName}\`:\n\n${fence(part.input)}`
    case 'tool-result':
      return `${part.isError ? 'Error' : 'Result'}${part.toolName ? ` of \`${part.toolName}\`` : ''}:\n\n${fence(part.output)}`
  }
}
