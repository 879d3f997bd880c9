import { useMemo } from 'react'
import { type UsedRemote, useRecollect } from 'recollect/react'
import { notifyTabs } from '../../../api/tabs.ts'
import { showToast } from '../../../ui/toasts.tsx'
import { attempt } from '../attempt.ts'
import type { Fact } from './use-facts.ts'

export interface FactFields {
  readonly subject: string
  readonly attribute: string
  readonly value: string
  readonly kind: Fact['kind']
}

export interface FactActions {
  pin(fact: Fact): Promise<void>
  unpin(fact: Fact): Promise<void>
  reject(fact: Fact): Promise<void>
  restore(fact: Fact): Promise<void>
  change(fact: Fact, fields: Partial<FactFields>): Promise<void>
  add(fields: FactFields): Promise<void>
  /** Reverts an edit. */
  undo(fact: Fact, editId: number): Promise<void>
}

/** The cache key of a fact's history. */
export const historyName = (factId: string): string => `fact ${factId}`

type Shown = Pick<UsedRemote<readonly Fact[]>, 'assume' | 'refresh'>

/** Each action is applied optimistically, then replaced by the server's answer. */
export function useFactActions({ assume, refresh }: Shown): FactActions {
  const { facts } = useRecollect()
  return useMemo(() => {
    const show = (fact: Fact, change: (fact: Fact) => Fact) =>
      assume((all) => all.map((one) => (one.id === fact.id ? change(one) : one)))
    const settle = async (id: string | undefined, work: () => Promise<unknown>): Promise<boolean> => {
      const isDone = await attempt(work)
      await refresh()
      notifyTabs('facts')
      if (id !== undefined) notifyTabs(historyName(id))
      return isDone
    }
    const restore = async (fact: Fact) => {
      show(fact, ({ rejectedAt: _, ...one }) => one)
      await settle(fact.id, () => facts.restore(fact.id))
    }
    return {
      restore,
      async pin(fact) {
        show(fact, (one) => ({ ...one, pinnedAt: new Date().toISOString() }))
        await settle(fact.id, () => facts.pin(fact.id))
      },
      async unpin(fact) {
        show(fact, ({ pinnedAt: _, ...one }) => one)
        await settle(fact.id, () => facts.unpin(fact.id))
      },
      async reject(fact) {
        show(fact, (one) => ({ ...one, rejectedAt: new Date().toISOString() }))
        const isDone = await settle(fact.id, () => facts.reject(fact.id))
        if (isDone)
          showToast(`Marked “${fact.value}” as wrong.`, {
            action: { label: 'Undo', run: () => void restore(fact) },
          })
      },
      async change(fact, fields) {
        show(fact, (one) => ({ ...one, ...fields }))
        await settle(fact.id, () => facts.change(fact.id, fields))
      },
      async add(fields) {
        await settle(undefined, () => facts.add(fields))
      },
      async undo(fact, editId) {
        await settle(fact.id, () => facts.undo(fact.id, editId))
      },
    }
  }, [facts, assume, refresh])
}
