// The scroll position in a conversation: at the end unless the reader scrolled away; after a reload, back at the same
// message. A URL with a message id scrolls to that message.

import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { UsedConversation } from 'recollect/react'
import { client } from '../../api/client.ts'
import { tabValues } from '../../browser-storage.ts'
import { showToast } from '../../ui/toasts.tsx'

interface ScrollPlace {
  readonly conversationId: string
  readonly conversation: UsedConversation
  readonly messageId: string | undefined
  readonly virtual: Virtualizer<HTMLDivElement, Element>
  readonly scroller: RefObject<HTMLDivElement | null>
}

const END_PX = 80
const LIT_MS = 2600

export function useScrollPlace(place: ScrollPlace) {
  const isAtEnd = useIsAtEnd(place)
  useFirstPlace(place)
  const litId = useNamedMessage(place)
  return { isAtEnd, litId }
}

function useIsAtEnd({ conversationId, conversation, virtual, scroller }: ScrollPlace): boolean {
  const [isAtEnd, setAtEnd] = useState(true)
  const messages = useRef(conversation.messages)
  messages.current = conversation.messages
  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      const left = element.scrollHeight - element.scrollTop - element.clientHeight
      setAtEnd(left < END_PX)
      clearTimeout(timer)
      timer = setTimeout(() => savePosition(left < END_PX), 150)
    }
    const savePosition = (isEnd: boolean) => {
      const top = virtual.getVirtualItemForOffset(element.scrollTop)
      const message = top && messages.current[top.index]
      if (isEnd || top === undefined || message?.position === undefined)
        tabValues.remove(`scroll.${conversationId}`)
      else
        tabValues.set(
          `scroll.${conversationId}`,
          JSON.stringify({ position: message.position, past: Math.round(element.scrollTop - top.start) }),
        )
    }
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      clearTimeout(timer)
      element.removeEventListener('scroll', look)
    }
  }, [conversationId, virtual, scroller])
  return isAtEnd
}

/** Scrolls to the end, or to where the reader was before the reload. */
function useFirstPlace({ conversationId, conversation, messageId, virtual, scroller }: ScrollPlace): void {
  const isPlaced = useRef(false)
  const { messages, loadBackTo } = conversation
  const isThere = messages.length > 0
  useLayoutEffect(() => {
    if (!isThere || isPlaced.current) return
    isPlaced.current = true
    virtual.scrollToEnd()
    const before = readPlace(conversationId)
    if (before === undefined || messageId !== undefined) return
    void loadBackTo(before.position).then(() => goTo(before))
    const goTo = ({ position, past }: Place) =>
      requestAnimationFrame(() => {
        const index = latest.current.findIndex((message) => message.position === position)
        if (index < 0) return
        virtual.scrollToIndex(index, { align: 'start' })
        setTimeout(() => scroller.current?.scrollBy({ top: past }), 60)
      })
  }, [isThere, conversationId, messageId, virtual, loadBackTo, scroller])
  const latest = useRef(messages)
  latest.current = messages
}

interface Place {
  readonly position: number
  /** How far below its top, in pixels. */
  readonly past: number
}

function readPlace(conversationId: string): Place | undefined {
  const text = tabValues.get(`scroll.${conversationId}`)
  return text === undefined ? undefined : (JSON.parse(text) as Place)
}

/** Loads messages back to the one named in the URL, scrolls to it and highlights it briefly. */
function useNamedMessage({ conversationId, conversation, messageId, virtual }: ScrollPlace) {
  const [lit, setLit] = useState<string | undefined>()
  const { messages, loadBackTo, status } = conversation
  const latest = useRef(messages)
  latest.current = messages
  const isReady = status !== 'loading'
  useEffect(() => {
    if (messageId === undefined || !isReady) return undefined
    const stop = new AbortController()
    const go = async () => {
      try {
        const { position } = await client.conversation(conversationId).message(messageId, stop)
        await loadBackTo(position)
        if (stop.signal.aborted) return
        requestAnimationFrame(() => {
          const index = latest.current.findIndex(({ id }) => id === messageId)
          if (index < 0) return showToast('That message has been replaced since.')
          virtual.scrollToIndex(index, { align: 'center' })
          setLit(messageId)
        })
      } catch {
        if (!stop.signal.aborted) showToast('That message no longer exists.')
      }
    }
    void go()
    const timer = setTimeout(() => setLit(undefined), LIT_MS)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [messageId, isReady, conversationId, loadBackTo, virtual])
  return lit
}
