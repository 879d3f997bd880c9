import { formatCount, toSentence } from '../../format.ts'
import { type Receipt, SECTION_NAMES } from './sections.ts'

/** How the token budget was used: a bar, and a row for each section. */
export function BudgetBar({ receipt }: { readonly receipt: Receipt }) {
  const { parts, budgetTokens, tokens } = receipt
  const spent = parts.filter((part) => part.tokens > 0)
  // With a large budget the used part would be a sliver, so the bar then shows only the used part.
  const isSliver = tokens < budgetTokens / 8
  const whole = isSliver ? tokens : budgetTokens
  const free = budgetTokens - tokens
  return (
    <div className="budget">
      <div className="budget-bar" aria-hidden="true">
        {spent.map((part) => (
          <span
            key={part.section}
            className="budget-piece"
            data-section={part.section}
            style={{ flexGrow: part.tokens }}
            title={`${SECTION_NAMES[part.section]}: ${formatCount(part.tokens)} tokens`}
          />
        ))}
        {!isSliver && free > 0 && <span className="budget-free" style={{ flexGrow: whole - tokens }} />}
      </div>
      <ul className="budget-list">
        {spent.map((part) => (
          <li key={part.section}>
            <details>
              <summary>
                <span className="budget-dot" data-section={part.section} />
                <span className="budget-name">{SECTION_NAMES[part.section]}</span>
                <span className="budget-tokens">{formatCount(part.tokens)}</span>
              </summary>
              <p>
                {toSentence(part.reason)}
                {part.budgetTokens !== undefined && ` Limit: ${formatCount(part.budgetTokens)} tokens.`}
              </p>
            </details>
          </li>
        ))}
        <li className="budget-rest">
          <span className="budget-dot budget-dot-free" />
          <span className="budget-name">Unused</span>
          <span className="budget-tokens">{formatCount(free)}</span>
        </li>
      </ul>
    </div>
  )
}
