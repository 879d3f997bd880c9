import type { ShownMessage } from 'recollect/react'
import { client } from '../../api/client.ts'
import { tellTabs } from '../../api/tabs.ts'
import { addressOf, navigate } from '../../router.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { refreshList } from '../conversations/conversation-list.ts'
import { beginChat, setFirstMessage } from './first-message.ts'

interface Edit {
  readonly conversationId: string
  readonly messages: readonly ShownMessage[]
  readonly messageId: string
  readonly text: string
}

/** The chat goes on from there in a fork, with the new words; what was said stays where it is. */
export async function editAndResend({ conversationId, messages, messageId, text }: Edit): Promise<void> {
  const at = messages.findIndex(({ id }) => id === messageId)
  const before = messages[at - 1]
  try {
    if (before === undefined) {
      await beginChat({ text, isIncognito: false })
    } else {
      const fork = await client.conversation(conversationId).fork(before.id)
      setFirstMessage(fork.id, text)
      navigate(addressOf(fork.id))
      tellTabs('conversations')
      void refreshList()
    }
    showToast('The chat goes on in a fork.', {
      action: { label: 'Back to the original', run: () => navigate(addressOf(conversationId)) },
    })
  } catch (error) {
    showToast(`It could not be forked: ${error instanceof Error ? error.message : String(error)}`)
  }
}
