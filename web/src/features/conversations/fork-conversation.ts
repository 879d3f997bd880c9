import type { WireConversation } from 'recollect/react'
import { client } from '../../api/client.ts'
import { tellTabs } from '../../api/tabs.ts'
import { addressOf, navigate } from '../../router.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { refreshList } from './conversation-list.ts'

/** A copy up to a message, or up to the last one; it is opened. */
export async function forkConversation(
  { id }: Pick<WireConversation, 'id'>,
  messageId?: string,
): Promise<WireConversation | undefined> {
  try {
    const at = messageId ?? (await lastMessage(id))
    if (at === undefined) {
      showToast('There is nothing to fork yet.')
      return undefined
    }
    const fork = await client.conversation(id).fork(at)
    navigate(addressOf(fork.id))
    tellTabs('conversations')
    void refreshList()
    return fork
  } catch (error) {
    showToast(`It could not be forked: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

async function lastMessage(id: string): Promise<string | undefined> {
  const { messages } = await client.conversation(id).messages({ direction: 'backwards', limit: 1 })
  return messages.at(-1)?.id
}
