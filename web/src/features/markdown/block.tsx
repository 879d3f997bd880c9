import type { Token, Tokens } from 'marked'
import { memo, type ReactNode } from 'react'
import { CodeBlock } from './code-block.tsx'
import { Inline, inlineOf } from './inline.tsx'
import { MathText } from './math-text.tsx'
import type { MathToken } from './read-markdown.ts'

interface BlockProps {
  /** Blocks with the same source are not rendered again. */
  readonly raw: string
  readonly token: Token
}

export const Block = memo(
  ({ token }: BlockProps) => blockOf(token),
  (before, after) => before.raw === after.raw && before.token.type === after.token.type,
)

function blockOf(token: Token): ReactNode {
  switch (token.type) {
    case 'heading':
      return <Heading token={token as Tokens.Heading} />
    case 'paragraph':
      return (
        <p dir="auto">
          <Inline tokens={token.tokens} />
        </p>
      )
    case 'text':
      return <Inline tokens={token.tokens ?? [token]} />
    case 'code':
      return <CodeBlock text={token['text'] as string} language={token['lang'] as string | undefined} />
    case 'list':
      return <List token={token as Tokens.List} />
    case 'blockquote':
      return <blockquote dir="auto">{blocksOf(token.tokens)}</blockquote>
    case 'table':
      return <Table token={token as Tokens.Table} />
    case 'hr':
      return <hr />
    case 'html':
      return <p dir="auto">{(token as Tokens.HTML).text.trim()}</p>
    case 'math':
      return <MathText text={(token as MathToken).text} isBlock />
    default:
      return inlineOf(token, 0)
  }
}

const blocksOf = (tokens: readonly Token[] = []): ReactNode =>
  tokens
    .filter(({ type }) => type !== 'space')
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no id and keep their order
    .map((token, i) => <Block key={i} raw={token.raw} token={token} />)

/** Headings start below those of the page, so that the outline for screen readers stays correct. */
function Heading({ token: { depth, tokens } }: { readonly token: Tokens.Heading }) {
  const Level = `h${Math.min(depth + 2, 6)}` as 'h3'
  return (
    <Level dir="auto" data-depth={depth}>
      <Inline tokens={tokens} />
    </Level>
  )
}

function List({ token: { ordered, start, items } }: { readonly token: Tokens.List }) {
  const rows = items.map((item, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items have no id and keep their order
    <li key={i} dir="auto" className={item.task ? 'task' : undefined}>
      {blocksOf(item.tokens)}
    </li>
  ))
  return ordered ? <ol start={start === '' ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>
}

function Table({ token: { header, rows } }: { readonly token: Tokens.Table }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section className="table-scroll" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map((cell, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no id
              <th key={i} className={alignOf(cell)} dir="auto">
                <Inline tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id
            <tr key={i}>
              {row.map((cell, j) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no id
                <td key={j} className={alignOf(cell)} dir="auto">
                  <Inline tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const alignOf = ({ align }: Tokens.TableCell): string | undefined =>
  align === null ? undefined : `align-${align}`
