import { memo } from 'react'
import { Block } from './block.tsx'
import { readMarkdown } from './read-markdown.ts'
import './markdown.css'

/** Renders Markdown. While the text grows, only the last block is rendered again. */
export const Markdown = memo(({ text }: { readonly text: string }) => (
  <div className="markdown">
    {readMarkdown(text).map((token, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no id and only grow at the end
      <Block key={i} raw={token.raw} token={token} />
    ))}
  </div>
))
