// Where a turn stands: the question that is to be answered, and what an answer to it takes the place of.

import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import { type Content, type Message, type NewMessage, partsOf } from '../domain/message.ts'
import {
  originalOf,
  type Replaced,
  withoutReplaced,
  withRecollectMetadata,
} from '../domain/recollect-metadata.ts'
import type { ChatMessage, ChatOptions } from './chat-request.ts'

/** What a turn asks of the record. */
export interface TurnRecord {
  /** Recorded, or found under its id. */
  record(message: NewMessage): Promise<{ readonly message: Message; readonly isNew: boolean }>
  has(id: string): Promise<boolean>
  /** The newest so many messages, in order. */
  last(limit: number): Promise<readonly Message[]>
}

export interface Turn {
  readonly question: Message
  /** What the answer takes the place of; missing where the question has none yet. */
  readonly replaces?: Replaced
}

/** So far back something can be said anew: what reads conversations by their beginning looks as far ahead. */
const WITHIN = 50

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

/** The same words again ask for another answer; other words take the place of the earlier ones. */
async function editTurn(record: TurnRecord, said: NewMessage, edits: string): Promise<Turn> {
  const earlier = findMessage(await readCurrent(record), edits)
  if (earlier === undefined && (await record.has(edits))) throw tooFar(edits)
  // It never arrived.
  if (earlier === undefined) return { question: (await record.record({ id: edits, ...said })).message }
  if (earlier.role !== 'user') {
    throw new MemoryError('invalid-input', `"${edits}" was not said by the user`, {
      hint: 'an answer is given anew with `regenerate`',
    })
  }
  if (isSame(earlier.content, said.content)) return findTurn(record, earlier.id)
  const metadata = withRecollectMetadata(said.metadata, { replaces: originalOf(earlier) })
  const { message } = await record.record({ ...said, metadata })
  return { question: message }
}

const isSame = (one: Content, other: Content): boolean =>
  JSON.stringify(partsOf(one)) === JSON.stringify(partsOf(other))

/** By its id, or by that of the message that stood there first: who edits may not know of the ones between. */
const findMessage = (current: readonly Message[], id: string): Message | undefined =>
  current.find((message) => message.id === id) ?? current.find((message) => originalOf(message).id === id)

const readCurrent = async (record: TurnRecord): Promise<readonly Message[]> =>
  withoutReplaced(await record.last(WITHIN))

/** The turn that a message belongs to, or the last. */
async function findTurn(record: TurnRecord, id: string | undefined): Promise<Turn> {
  const current = await readCurrent(record)
  const found = id === undefined ? current.at(-1) : findMessage(current, id)
  if (id !== undefined && found === undefined) throw tooFar(id)
  const at = found === undefined ? -1 : current.indexOf(found)
  const asked = current.findLastIndex(({ role }, i) => i <= at && role === 'user')
  const question = current[asked]
  if (question === undefined)
    throw new MemoryError('not-found', 'there is no question to answer', { hint: 'send a message first' })
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
    `"${id}" is not among the last ${WITHIN} messages of the conversation`,
    {
      hint: 'fork the conversation there, and go on in the fork',
    },
  )
}
