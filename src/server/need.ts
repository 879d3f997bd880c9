import { type Conversation, type ConversationMemory, MemoryError, type Workspace } from '../index.ts'

/** For read routes: throws not-found if the conversation does not exist. */
export async function needConversation(
  memory: Workspace,
  id: string,
): Promise<{ readonly handle: ConversationMemory; readonly conversation: Conversation }> {
  const handle = memory.conversation(id)
  const conversation = await handle.get()
  if (conversation !== undefined) return { handle, conversation }
  throw notFound(`there is no conversation "${id}"`, 'GET /api/conversations lists them')
}

export const notFound = (message: string, hint?: string): MemoryError =>
  new MemoryError('not-found', message, hint === undefined ? {} : { hint })
