import { memo, useState } from 'react'
import type { ShownMessage } from 'recollect/react'
import { formatBytes } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { PictureByConsent } from '../markdown/picture-by-consent.tsx'

/** Longer messages are cut until expanded: laying out megabytes of text takes seconds. */
const SHOWN_CHARACTERS = 16_000

export const MessageBody = memo(({ message }: { readonly message: ShownMessage }) => {
  const { role, content, text, state } = message
  if (state === 'erased') return null
  if (state === 'answering' && text === '') return <Waiting />
  if (role === 'system') return <Folded title="Instructions" text={text} />
  if (role === 'tool') return <Folded title="Tool result" text={toolText(content)} />
  return (
    <div className="message-body">
      <Text text={text} isMarkdown={role === 'assistant'} />
      {typeof content !== 'string' && <Parts content={content} />}
    </div>
  )
})

function Text({ text, isMarkdown }: { readonly text: string; readonly isMarkdown: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > SHOWN_CHARACTERS
  const shown = isLong && !isWhole ? `${text.slice(0, SHOWN_CHARACTERS)} …` : text
  if (text === '') return null
  return (
    <>
      {isMarkdown && !(isLong && isWhole) ? (
        <Markdown text={shown} />
      ) : (
        <div className="plain-text" dir="auto">
          {shown}
        </div>
      )}
      {isLong && (
        <Button isSmall className="show-all" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${formatBytes(text.length)}`}
        </Button>
      )}
    </>
  )
}

type PartList = Exclude<ShownMessage['content'], string>

function Parts({ content }: { readonly content: PartList }) {
  const parts = content.filter(({ type }) => type !== 'text')
  if (parts.length === 0) return null
  return (
    <div className="message-parts">
      {parts.map((part, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id and never change
        <Part key={i} part={part} />
      ))}
    </div>
  )
}

function Part({ part }: { readonly part: PartList[number] }) {
  switch (part.type) {
    case 'image':
      return <PictureByConsent address={part.url} about="Image" />
    case 'file':
      return (
        <span className="chip">
          <Icon name="file" size={13} />
          {part.name ?? 'File'}
        </span>
      )
    case 'reasoning':
      return <Folded title="Reasoning" text={part.text} />
    case 'tool-call':
      return <Folded title={`Called ${part.toolName}`} text={JSON.stringify(part.input, null, 2)} />
    case 'tool-result':
      return <Folded title={`Result of ${part.toolName ?? 'tool'}`} text={resultText(part.output)} />
    default:
      return null
  }
}

function Folded({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <details className="folded">
      <summary>{title}</summary>
      <div className="plain-text" dir="auto">
        {text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)} …` : text}
      </div>
    </details>
  )
}

function toolText(content: ShownMessage['content']): string {
  if (typeof content === 'string') return content
  return content
    .map((part) => {
      if (part.type === 'tool-result') return resultText(part.output)
      return part.type === 'text' ? part.text : ''
    })
    .join('\n')
}

const resultText = (result: unknown): string =>
  typeof result === 'string' ? result : JSON.stringify(result, null, 2)

function Waiting() {
  return (
    <div className="waiting" role="status" aria-label="Searching memory">
      <span />
      <span />
      <span />
    </div>
  )
}
