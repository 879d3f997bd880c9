import type { WireConversation } from 'recollect/react'
import { client } from '../../api/client.ts'
import { notifyTabs } from '../../api/tabs.ts'
import { addressOf, navigate } from '../../router.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { refreshList } from './conversation-list.ts'

/** Copies the conversation up to a message (default: the last one) and opens the copy. */
export async function forkConversation(
  { id }: Pick<WireConversation, 'id'>,
  messageId?: string,
): Promise<WireConversation | undefined> {
  try {
    const at = messageId ?? (await lastMessage(id))
    if (at === undefined) {
      showToast('Nothing to fork yet.')
      return undefined
    }
    const fork = await client.conversation(id).fork(at)
    navigate(addressOf(fork.id))
    notifyTabs('conversations')
    void refreshList()
    return fork
  } catch (error) {
    showError('Couldn’t fork the chat', error)
    return undefined
  }
}

async function lastMessage(id: string): Promise<string | undefined> {
  const { messages } = await client.conversation(id).messages({ direction: 'backwards', limit: 1 })
  return messages.at(-1)?.id
}
