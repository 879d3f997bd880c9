import { MemoryError } from '../domain/errors.ts'
import { messageId } from '../domain/ids.ts'
import type { Erased } from '../store/store.ts'
import { makeTitle, TITLE_FROM } from './make-title.ts'
import type { WorkspaceDeps } from './record.ts'

/** Erases one message, with its copies in forks; a title that was made from it is made anew without it. */
export async function eraseMessage({ store, workspace, now }: WorkspaceDeps, id: string): Promise<Erased> {
  const message = await store.findMessage(workspace, messageId(id))
  if (message === undefined) throw new MemoryError('not-found', `there is no message "${id}"`)
  const erased = await store.eraseMessage(workspace, message.id, now())
  const key = { workspace, conversation: message.conversationId }
  const conversation = await store.findConversation(key)
  if (conversation === undefined || conversation.title !== undefined) return erased
  const title = makeTitle(await store.messages({ ...key, limit: TITLE_FROM }))
  if (title !== undefined) await store.changeConversation(key, { title })
  return erased
}
