import { useRemote } from 'recollect/react'
import { client } from '../../api/client.ts'
import { notifyTabs } from '../../api/tabs.ts'
import { IconButton } from '../../ui/button.tsx'
import { showError } from '../../ui/toasts.tsx'

interface VerdictButtonsProps {
  readonly item: JudgedItem
  readonly helpfulLabel: string
  readonly unhelpfulLabel: string
}

/** Clicking again removes the feedback. */
export function VerdictButtons({ item, helpfulLabel, unhelpfulLabel }: VerdictButtonsProps) {
  const { verdict, give } = useVerdict(item)
  return (
    <>
      <IconButton
        icon="thumbUp"
        label={helpfulLabel}
        isSmall
        aria-pressed={verdict === 'helpful'}
        onClick={() => void give('helpful')}
      />
      <IconButton
        icon="thumbDown"
        label={unhelpfulLabel}
        isSmall
        aria-pressed={verdict === 'not-helpful'}
        onClick={() => void give('not-helpful')}
      />
    </>
  )
}

type Verdict = 'helpful' | 'not-helpful'

interface JudgedItem {
  readonly kind: 'message' | 'fact' | 'summary' | 'note' | 'chunk' | 'query'
  readonly id: string
}

/** Messages that only scroll past don't send a request. */
const VISIBLE_MS = 250

/** The latest feedback on an item, from any tab. Recall learns from it. */
function useVerdict(item: JudgedItem) {
  const about = `verdict ${item.kind} ${item.id}`
  const { value, assume, refresh } = useRemote<Verdict | null>({
    name: about,
    about: [about],
    read: async (from, signal) => {
      await new Promise((wake) => setTimeout(wake, VISIBLE_MS))
      signal.throwIfAborted()
      return (await from.feedback.get(item, { signal })).verdict ?? null
    },
  })
  const give = async (verdict: Verdict) => {
    const before = value ?? undefined
    assume(() => (before === verdict ? null : verdict))
    try {
      if (before !== undefined) await client.feedback.undo(item)
      if (before !== verdict) await client.feedback.give(item, verdict)
      notifyTabs(about)
    } catch (error) {
      showError('Couldn’t save your feedback', error)
    }
    await refresh()
  }
  return { verdict: value ?? undefined, give }
}
