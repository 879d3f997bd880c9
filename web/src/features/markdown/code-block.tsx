import { memo, useEffect, useState } from 'react'
import { copyText } from '../../api/copy-text.ts'
import { IconButton } from '../../ui/button.tsx'
import type { CodePiece } from './highlight.ts'

interface CodeBlockProps {
  readonly text: string
  readonly language: string | undefined
}

type Highlight = typeof import('./highlight.ts')['highlight']

let highlight: Highlight | undefined
/** Highlighting longer code would block the page. */
const MOST_CHARACTERS = 40_000

export const CodeBlock = memo(({ text, language = '' }: CodeBlockProps) => {
  const [name = ''] = language.split(/[\s{,]/)
  const isColoured = useHighlighter(name !== '' && text.length <= MOST_CHARACTERS)
  const pieces = isColoured ? highlight?.(text, name) : undefined
  return (
    <figure className="code-block">
      <figcaption className="code-head">
        <span>{name || 'text'}</span>
        <IconButton icon="copy" label="Copy code" isSmall onClick={() => void copyText(text)} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{pieces === undefined ? text : <Pieces pieces={pieces} />}</code>
      </pre>
    </figure>
  )
})

function useHighlighter(isWanted: boolean): boolean {
  const [isLoaded, setLoaded] = useState(highlight !== undefined)
  useEffect(() => {
    if (!isWanted || isLoaded) return
    void import('./highlight.ts').then((module) => {
      highlight = module.highlight
      setLoaded(true)
    })
  }, [isWanted, isLoaded])
  return isWanted && isLoaded
}

function Pieces({ pieces }: { readonly pieces: readonly CodePiece[] }) {
  return pieces.map((piece, i) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no id and are created together
      <span key={i} className={piece.className}>
        <Pieces pieces={piece.pieces} />
      </span>
    ),
  )
}
