import type { ShownMessage } from 'recollect/react'
import { client } from '../../api/client.ts'
import { notifyTabs } from '../../api/tabs.ts'
import { addressOf, navigate } from '../../router.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { refreshList } from '../conversations/conversation-list.ts'
import { beginChat, setFirstMessage } from './first-message.ts'

interface Edit {
  readonly conversationId: string
  readonly messages: readonly ShownMessage[]
  readonly messageId: string
  readonly text: string
}

/** Continues in a fork with the edited text. The original conversation is unchanged. */
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
      notifyTabs('conversations')
      void refreshList()
    }
    showToast('Continued in a fork.', {
      action: { label: 'Back to the original', run: () => navigate(addressOf(conversationId)) },
    })
  } catch (error) {
    showError('Couldn’t fork the chat', error)
  }
}
