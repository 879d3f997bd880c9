// Where a turn stands: the question that is to be answered, and what an answer to it takes the place of.

import type { Message, NewMessage } from '../domain/message.ts'
import { placeToReplace, type Replaced, withoutReplaced, withStamp } from '../domain/stamp.ts'
import { MemoryError } from '../errors.ts'
import { given } from '../given.ts'
import type { ChatMessage, ChatRequest } from './chat-request.ts'

/** What a turn asks of the record. */
export interface TurnRecord {
  /** Recorded, or found under its id. */
  record(message: NewMessage): Promise<{ readonly message: Message; readonly isNew: boolean }>
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

export async function beginTurn(record: TurnRecord, request: ChatRequest): Promise<Turn> {
  const { message, edits, regenerate } = request
  if (message === undefined) return findTurn(record, regenerate === true ? undefined : regenerate)
  const stamped = edits === undefined ? toNew(message) : await toEdit(record, message, edits)
  const { message: question, isNew } = await record.record(stamped)
  return isNew ? { question } : findTurn(record, question.id)
}

const toNew = (message: ChatMessage): NewMessage =>
  typeof message === 'string' ? { role: 'user', content: message } : { ...message, role: 'user' }

async function toEdit(record: TurnRecord, message: ChatMessage, edits: string): Promise<NewMessage> {
  const current = await readCurrent(record)
  const earlier = current.find(({ id }) => id === edits)
  const said = toNew(message)
  // The same edit sent again: the record has it, and what it took the place of stands no more.
  if (earlier === undefined && current.some(({ id }) => id === said.id)) return said
  if (earlier === undefined) throw tooFar(edits)
  if (earlier.role !== 'user')
    throw new MemoryError('invalid-input', `"${edits}" was not said by the user`, {
      hint: 'an answer is given anew with `regenerate`',
    })
  return { ...said, metadata: withStamp(said.metadata, { replaces: placeToReplace(earlier) }) }
}

const readCurrent = async (record: TurnRecord): Promise<readonly Message[]> =>
  withoutReplaced(await record.last(WITHIN))

/** The turn that a message belongs to, or the last. */
async function findTurn(record: TurnRecord, id: string | undefined): Promise<Turn> {
  const current = await readCurrent(record)
  const at = id === undefined ? current.length - 1 : current.findIndex((message) => message.id === id)
  if (id !== undefined && at === -1) throw tooFar(id)
  const asked = current.findLastIndex(({ role }, i) => i <= at && role === 'user')
  const question = current[asked]
  if (question === undefined)
    throw new MemoryError('not-found', 'there is no question to answer', { hint: 'send a message first' })
  const answer = current[asked + 1]
  return { question, ...given({ replaces: answer && replaceAfter(question, answer) }) }
}

function replaceAfter(question: Message, answer: Message): Replaced {
  const { id, position } = placeToReplace(answer)
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
