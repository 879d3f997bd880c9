import { useEffect, useRef, useState } from 'react'

interface MathTextProps {
  readonly text: string
  readonly isBlock: boolean
}

type Temml = typeof import('temml')['default']

let temml: Temml | undefined

/** Renders a formula as MathML. Shows the source while loading and if it can't be parsed. */
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
    place.replaceChildren(text) // Not valid TeX: show the source.
  }
}
