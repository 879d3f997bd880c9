import { memo } from 'react'
import { Block } from './block.tsx'
import { readMarkdown } from './read-markdown.ts'
import './markdown.css'

/** A text in Markdown. While it grows, only its last block is made anew. */
export const Markdown = memo(({ text }: { readonly text: string }) => (
  <div className="markdown">
    {readMarkdown(text).map((token, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other name, and only ever grow at the end
      <Block key={i} raw={token.raw} token={token} />
    ))}
  </div>
))
