// Debug information about a turn, written as comments of the event stream: clients ignore them, and they are
// visible when inspecting the traffic.

import { definedFields } from '../../domain/defined-fields.ts'
import type { ChatEvent, ContextRemembered, Note } from '../../index.ts'

export function debugLines(event: ChatEvent): readonly string[] {
  if (event.type === 'remembered') {
    return [toLine('MEMORY_DEBUG', memoryOf(event)), toLine('RAG_DEBUG', documentsOf(event))]
  }
  if (event.type === 'searched')
    return [toLine('SEARCH_DEBUG', { question: event.question, notes: event.notes.map(noteOf) })]
  if (event.type === 'notice' && event.code === 'search-failed')
    return [toLine('SEARCH_DEBUG', { failed: event.text })]
  return []
}

const toLine = (name: string, value: unknown): string => `: ${name} ${JSON.stringify(value)}\n\n`

function memoryOf({ receipt, question, recalled }: ContextRemembered) {
  const { id, tokens, budgetTokens, parts, omitted, repairs, sharedPrefix } = receipt
  return {
    receiptId: id,
    tokens,
    budgetTokens,
    parts: parts.map(({ section, tokens: own, runs, items }) => ({
      section,
      tokens: own,
      ...(runs.length > 0 && { runs }),
      ...(items !== undefined && {
        items: items.map(({ kind, id: item, score, tokens: cost }) => ({
          kind,
          id: item,
          tokens: cost,
          ...definedFields({ score }),
        })),
      }),
    })),
    omitted: omitted.length,
    repairs: repairs.length,
    sharedPrefix,
    recalled: recalled.length,
    ...definedFields({ question }),
  }
}

function documentsOf({ receipt, recalled }: ContextRemembered) {
  const items = receipt.parts.find(({ section }) => section === 'chunks')?.items ?? []
  const sent = new Set(items.map(({ id }) => id))
  return {
    chunks: recalled
      .filter(({ kind }) => kind === 'chunk')
      .map(({ id, source, score, tokens }) => ({
        id,
        score,
        tokens,
        isSent: sent.has(id),
        ...definedFields({ source }),
      })),
  }
}

const noteOf = ({ id, source: { url, title } }: Note) => ({ id, ...definedFields({ url, title }) })
