import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** The current width of an element. */
export function useWidth<E extends HTMLElement>(): readonly [RefObject<E | null>, number] {
  const element = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.round(entry.contentRect.width)))
    observer.observe(element.current)
    setWidth(Math.round(element.current.getBoundingClientRect().width))
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
