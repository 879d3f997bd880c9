import type { Token, Tokens } from 'marked'
import type { ReactNode } from 'react'
import { MathText } from './math-text.tsx'
import { PictureByConsent } from './picture-by-consent.tsx'
import { decodeEntities, type MathToken, safeAddress } from './read-markdown.ts'

export function Inline({ tokens = [] }: { readonly tokens?: readonly Token[] | undefined }) {
  return <>{tokens.map(inlineOf)}</>
}

export function inlineOf(token: Token, key: number): ReactNode {
  switch (token.type) {
    case 'strong':
      return (
        <strong key={key}>
          <Inline tokens={token.tokens} />
        </strong>
      )
    case 'em':
      return (
        <em key={key}>
          <Inline tokens={token.tokens} />
        </em>
      )
    case 'del':
      return (
        <del key={key}>
          <Inline tokens={token.tokens} />
        </del>
      )
    case 'codespan':
      return <code key={key}>{(token as Tokens.Codespan).text}</code>
    case 'br':
      return <br key={key} />
    case 'link':
      return <SafeLink key={key} token={token as Tokens.Link} />
    case 'image':
      return <PictureByConsent key={key} address={token['href'] as string} about={token['text'] as string} />
    case 'checkbox':
      return (
        <input
          key={key}
          type="checkbox"
          checked={token['checked'] as boolean}
          readOnly
          disabled
          aria-label={token['checked'] === true ? 'done' : 'to do'}
        />
      )
    case 'math':
      return <MathText key={key} text={(token as MathToken).text} isBlock={false} />
    case 'html':
      return token.raw
    default:
      return leafOf(token)
  }
}

function leafOf(token: Token): ReactNode {
  const inner = token as Tokens.Generic
  if (inner.tokens !== undefined) return inner.tokens.map(inlineOf)
  return decodeEntities(typeof inner['text'] === 'string' ? inner['text'] : token.raw)
}

/** The linked site gets no referrer and no handle on this window. */
function SafeLink({ token }: { readonly token: Tokens.Link }) {
  const address = safeAddress(token.href)
  if (address === undefined) return <Inline tokens={token.tokens} />
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" title={address}>
      <Inline tokens={token.tokens} />
    </a>
  )
}
