// Memories of mem0: facts without messages, from `get_all`, the platform's export or OpenMemory. The text is in
// `memory`, `text`, `content` or `data`.

import { definedFields } from '../../../domain/defined-fields.ts'
import { MemoryError } from '../../../domain/errors.ts'
import {
  type Fields,
  type ForeignFormat,
  fieldsOf,
  idOf,
  readTime,
  textOf,
  toStatements,
} from '../foreign/foreign.ts'
import type { ImportFormat } from '../imported.ts'
import { chatgpt } from './chatgpt.ts'
import { claude } from './claude.ts'
import { librechat } from './librechat.ts'
import { openWebui } from './open-webui.ts'
import { openai } from './openai.ts'

export const mem0: ForeignFormat = {
  name: 'mem0',
  noun: 'memory',
  recognizes: (value) => {
    const fields = fieldsOf(value)
    const isOther = FOREIGN_FIELDS.some((name) => name in fields)
    return !isOther && idOf(fields['id']) !== undefined && findText(fields) !== undefined
  },
  read: (value) => {
    const fields = fieldsOf(value)
    const id = idOf(fields['id'])
    const text = findText(fields)
    if (id === undefined || text === undefined)
      throw new MemoryError('invalid-input', 'missing "id" or "memory"')
    const createdAt = readTime(fields['updated_at']) ?? readTime(fields['created_at'])
    const validUntil = readTime(fields['expiration_date'])
    const facts = toStatements(text).map((statement, i) => ({
      id: i === 0 ? `mem0-${id}` : `mem0-${id}.${i + 1}`,
      text: statement,
      ...definedFields({ createdAt, validUntil }),
    }))
    return { kind: 'facts', facts }
  },
}

/** Fields of messages, chats and ratings, which memories do not have. */
const FOREIGN_FIELDS = ['role', 'messages', 'conversation_id', 'rating', 'title'] as const

function findText(fields: Fields): string | undefined {
  const texts = ['memory', 'text', 'content', 'data'].map((name) => textOf(fields[name]))
  return texts.find((text) => text !== undefined)?.trim()
}

/** In detection order: the most specific first. */
const FORMATS: readonly ForeignFormat[] = [chatgpt, claude, openWebui, librechat, openai, mem0]

/** Shown when a file is not recognized. */
const DESCRIPTIONS: Readonly<Record<ImportFormat, string>> = {
  recollect: 'the output of `recollect export`',
  chatgpt: "ChatGPT's conversations.json, or its zip archive",
  claude: "Claude's conversations.json, or its zip archive",
  librechat: "LibreChat's export of a conversation as JSON",
  'open-webui': "Open WebUI's export of chats",
  openai: 'OpenAI chat messages, {"messages":[…]} or {"role":…,"content":…} per line',
  mem0: 'mem0 memories, from get_all or an export',
}

export function findFormat(value: unknown): ForeignFormat | undefined {
  return FORMATS.find((format) => format.recognizes(value))
}

export function formatNamed(name: ImportFormat): ForeignFormat {
  const format = FORMATS.find((one) => one.name === name)
  if (format === undefined) throw new TypeError(`${name} is not a foreign format`)
  return format
}

/** `problem` is the error of the first record, if it could not be read. */
export function unknownFormat(problem?: string): MemoryError {
  const list = Object.entries(DESCRIPTIONS).map(([name, what]) => `  ${name.padEnd(11)} ${what}`)
  const message = 'unknown export format'
  return new MemoryError('invalid-input', problem === undefined ? message : `${message}: ${problem}`, {
    hint: `supported formats:\n${list.join('\n')}`,
  })
}
