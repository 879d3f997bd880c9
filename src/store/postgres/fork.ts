import { MemoryError } from '../../domain/errors.ts'
import type { Message } from '../../domain/message.ts'
import { type ConversationRow, MESSAGE_COLUMNS, type MessageRow, toMessage } from '../rows.ts'
import { createRow, findRow, needLocked } from '../sql/conversations.ts'
import { copyEdits } from '../sql/edits.ts'
import type { AcceptedMessage, ForkRequest } from '../store.ts'
import { write } from './append.ts'
import { withWords } from './blocks.ts'
import { execute } from './execute.ts'
import { FROM_MESSAGE } from './messages.ts'
import type { Session } from './session.ts'

const COPIED_AT_ONCE = 500

/** Copies a conversation up to a message into a new one. */
export async function fork(session: Session, request: ForkRequest): Promise<ConversationRow> {
  const source = await execute(session, needLocked(request))
  let target = await makeTarget(session, request, source)
  for (let from = 0; from <= request.at; from += COPIED_AT_ONCE) {
    const to = Math.min(from + COPIED_AT_ONCE - 1, request.at)
    const copies = (await readCopies(session, source, [from, to])).map((message) => ({
      ...toCopy(message),
      id: request.newId(),
      copyOf: message.copyOf ?? message.id,
    }))
    target = (await write(session, target, copies)).row
  }
  await execute(session, copyEdits(source, { into: target.number, upTo: request.at + 1 }))
  return target
}

async function makeTarget(
  session: Session,
  request: ForkRequest,
  source: ConversationRow,
): Promise<ConversationRow> {
  const key = { workspace: request.workspace, conversation: request.into }
  if ((await execute(session, findRow(key))) !== undefined) {
    throw new MemoryError('conflict', `there is a conversation "${request.into}" already`, {
      hint: 'choose another id for the fork, or leave it out',
    })
  }
  const last = await session.get<{ id: string }>(
    'SELECT id FROM message WHERE workspace = $1 AND conversation = $2 AND position = $3',
    source.workspace,
    source.number,
    request.at,
  )
  if (last === undefined) {
    throw new MemoryError('not-found', `"${request.conversation}" has no message at position ${request.at}`)
  }
  return execute(
    session,
    createRow({
      ...key,
      fields: request.fields,
      forkedFrom: { conversationId: request.conversation, messageId: last.id as never, position: request.at },
      createdAt: request.now,
    }),
  )
}

async function readCopies(
  session: Session,
  { workspace, number }: ConversationRow,
  [from, to]: readonly [number, number],
): Promise<readonly Message[]> {
  const rows = await session.all<MessageRow>(
    `SELECT ${MESSAGE_COLUMNS} ${FROM_MESSAGE} WHERE m.workspace = $1 AND m.conversation = $2
       AND m.position BETWEEN $3 AND $4 ORDER BY m.position`,
    workspace,
    number,
    from,
    to,
  )
  return (await withWords(session, workspace, rows)).map(toMessage)
}

/** Copies all fields of a message but its position and the append key. */
function toCopy(message: Message): AcceptedMessage {
  const {
    conversationId: _,
    position: _position,
    tokensBefore: _tokens,
    appendKey: _key,
    ...copied
  } = message
  return copied
}
