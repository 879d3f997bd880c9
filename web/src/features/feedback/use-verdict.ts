import { useRemote } from 'recollect/react'
import { client } from '../../api/client.ts'
import { tellTabs } from '../../api/tabs.ts'
import { showToast } from '../../ui/toasts.tsx'

export type Verdict = 'helpful' | 'not-helpful'

export interface JudgedItem {
  readonly kind: 'message' | 'fact' | 'summary' | 'note' | 'chunk' | 'query'
  readonly id: string
}

/** Who scrolls by does not ask: an answer has to stay in sight for a moment. */
const IN_SIGHT_MS = 250

/** Whether something helped, as it was said last, in whatever tab. It teaches recall what matters. */
export function useVerdict(item: JudgedItem) {
  const about = `verdict ${item.kind} ${item.id}`
  const { value, assume, refresh } = useRemote<Verdict | null>({
    name: about,
    about: [about],
    read: async (from, signal) => {
      await new Promise((wake) => setTimeout(wake, IN_SIGHT_MS))
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
      tellTabs(about)
    } catch (error) {
      showToast(`That could not be kept: ${error instanceof Error ? error.message : String(error)}`)
    }
    await refresh()
  }
  return { verdict: value ?? undefined, give }
}
