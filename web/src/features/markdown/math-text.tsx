import { useEffect, useRef, useState } from 'react'

interface MathTextProps {
  readonly text: string
  readonly isBlock: boolean
}

type Temml = typeof import('temml')['default']

let temml: Temml | undefined

/** A formula as MathML, which browsers set themselves. Until it is there, and where it cannot be read: as it was written. */
export function MathText({ text, isBlock }: MathTextProps) {
  const place = useRef<HTMLSpanElement>(null)
  const [isLoaded, setLoaded] = useState(temml !== undefined)
  useEffect(() => {
    if (isLoaded) return
    void import('temml').then((module) => {
      temml = module.default
      setLoaded(true)
    })
  }, [isLoaded])
  useEffect(() => {
    if (!isLoaded || place.current === null) return
    setMath(place.current, text, isBlock)
  }, [isLoaded, text, isBlock])
  return (
    <span ref={place} className={isBlock ? 'math math-block' : 'math'}>
      {isLoaded ? null : text}
    </span>
  )
}

function setMath(place: HTMLElement, text: string, isBlock: boolean): void {
  place.replaceChildren()
  try {
    temml?.render(text, place, {
      displayMode: isBlock,
      throwOnError: true,
      maxExpand: 200,
      maxSize: [20, 20],
    })
  } catch {
    // No formula that it knows: the reader sees what was written.
    place.replaceChildren(text)
  }
}
