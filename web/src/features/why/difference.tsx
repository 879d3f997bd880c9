import { useRemote } from 'recollect/react'
import { formatCount, plural } from '../../format.ts'
import { type Receipt, SECTION_NAMES, type Section } from './sections.ts'

interface DifferenceProps {
  readonly receipt: Receipt
  readonly conversationId: string
}

export function Difference({ receipt, conversationId }: DifferenceProps) {
  const { previousId } = receipt.sharedPrefix
  if (previousId === undefined) return <p className="why-none">This is the first answer in this chat.</p>
  return <Compared receipt={receipt} conversationId={conversationId} previousId={previousId} />
}

function Compared({
  receipt,
  conversationId,
  previousId,
}: DifferenceProps & { readonly previousId: string }) {
  const { value: previous } = useRemote({
    name: `receipt ${conversationId} ${previousId}`,
    read: (client, signal) => client.conversation(conversationId).receipt(previousId, { signal }),
  })
  const { messages, tokens, brokenBecause, brokenAt } = receipt.sharedPrefix
  const changes = previous === undefined ? [] : compare(previous, receipt)
  return (
    <>
      <p className="why-none">
        {messages > 0
          ? `Starts with the same ${plural(messages, 'message')} (${formatCount(tokens)} tokens), which a provider can serve from its cache.`
          : 'The start is different, so a provider can’t use its cache.'}
        {brokenBecause !== undefined &&
          ` Differs starting ${brokenAt === undefined ? 'there' : `at “${SECTION_NAMES[brokenAt]}”`}: ${brokenBecause}.`}
      </p>
      {changes.length > 0 && (
        <ul className="changes">
          {changes.map(({ section, by }) => (
            <li key={section}>
              <span className="budget-dot" data-section={section} />
              <span className="budget-name">{SECTION_NAMES[section]}</span>
              <span className={by > 0 ? 'change-more' : 'change-less'}>
                {by > 0 ? '+' : '−'}
                {formatCount(Math.abs(by))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

interface Change {
  readonly section: Section
  readonly by: number
}

function compare(before: Receipt, after: Receipt): readonly Change[] {
  const tokensOf = ({ parts }: Receipt, section: Section) =>
    parts.filter((part) => part.section === section).reduce((sum, part) => sum + part.tokens, 0)
  return (Object.keys(SECTION_NAMES) as Section[])
    .map((section) => ({ section, by: tokensOf(after, section) - tokensOf(before, section) }))
    .filter(({ by }) => by !== 0)
}
