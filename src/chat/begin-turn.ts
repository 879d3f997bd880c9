// Begins a turn: finds or records the question to answer, and what its answer replaces.

import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import { type Content, type Message, partsOf } from '../domain/message.ts'
import {
  originalOf,
  type Replaced,
  withoutReplaced,
  withRecollectMetadata,
} from '../domain/recollect-metadata.ts'
import type { ChatMessage, ChatOptions } from '../schemas/chat.ts'
import type { NewMessage } from '../schemas/message.ts'

export interface TurnRecord {
  /** Records a message, or finds it by its id. */
  record(message: NewMessage): Promise<{ readonly message: Message; readonly isNew: boolean }>
  has(id: string): Promise<boolean>
  /** The newest messages, in order. */
  last(limit: number): Promise<readonly Message[]>
}

export interface Turn {
  readonly question: Message
  /** What the answer replaces; missing if the question has no answer yet. */
  readonly replaces?: Replaced
}

/** Messages can be replaced this far back. src/context/load-history.ts reads as far ahead. */
const MAX_REPLACED_MESSAGES = 50

export async function beginTurn(record: TurnRecord, request: ChatOptions): Promise<Turn> {
  const { message, edits, regenerate } = request
  if (message === undefined) return findTurn(record, regenerate === true ? undefined : regenerate)
  const said = toNew(message)
  if (edits !== undefined) return editTurn(record, said, edits)
  const { message: question, isNew } = await record.record(said)
  return isNew ? { question } : findTurn(record, question.id)
}

const toNew = (message: ChatMessage): NewMessage =>
  typeof message === 'string' ? { role: 'user', content: message } : { ...message, role: 'user' }

/** The same text regenerates the answer; other text replaces the earlier message. */
async function editTurn(record: TurnRecord, said: NewMessage, edits: string): Promise<Turn> {
  const earlier = findMessage(await readCurrent(record), edits)
  if (earlier === undefined && (await record.has(edits))) throw tooFar(edits)
  // The earlier message was never recorded.
  if (earlier === undefined) return { question: (await record.record({ id: edits, ...said })).message }
  if (earlier.role !== 'user') {
    throw new MemoryError('invalid-input', `"${edits}" is not a user message`, {
      hint: 'use `regenerate` for a new answer',
    })
  }
  if (isSame(earlier.content, said.content)) return findTurn(record, earlier.id)
  const metadata = withRecollectMetadata(said.metadata, { replaces: originalOf(earlier) })
  const { message } = await record.record({ ...said, metadata })
  return { question: message }
}

const isSame = (one: Content, other: Content): boolean =>
  JSON.stringify(partsOf(one)) === JSON.stringify(partsOf(other))

/** Finds a message by its id, or by the id of the message that it replaced: a client may know only the first one. */
const findMessage = (current: readonly Message[], id: string): Message | undefined =>
  current.find((message) => message.id === id) ?? current.find((message) => originalOf(message).id === id)

const readCurrent = async (record: TurnRecord): Promise<readonly Message[]> =>
  withoutReplaced(await record.last(MAX_REPLACED_MESSAGES))

/** The turn that a message belongs to, or the last. */
async function findTurn(record: TurnRecord, id: string | undefined): Promise<Turn> {
  const current = await readCurrent(record)
  const found = id === undefined ? current.at(-1) : findMessage(current, id)
  if (id !== undefined && found === undefined) throw tooFar(id)
  const at = found === undefined ? -1 : current.indexOf(found)
  const asked = current.findLastIndex(({ role }, i) => i <= at && role === 'user')
  const question = current[asked]
  if (question === undefined)
    throw new MemoryError('not-found', 'the conversation has no question to answer', {
      hint: 'send a message first',
    })
  const answer = current[asked + 1]
  return { question, ...definedFields({ replaces: answer && replaceAfter(question, answer) }) }
}

function replaceAfter(question: Message, answer: Message): Replaced {
  const { id, position } = originalOf(answer)
  return { id, position: Math.max(position, question.position + 1) }
}

function tooFar(id: string): MemoryError {
  return new MemoryError(
    'not-found',
    `"${id}" is not among the last ${MAX_REPLACED_MESSAGES} messages of the conversation`,
    {
      hint: 'fork the conversation at that message instead',
    },
  )
}
