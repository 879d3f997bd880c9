import { type Context, type ContextMessage, type Receipt, readableText } from '../index.ts'
import { bold, clip, dim, formatCount, green, print, yellow } from './terminal.ts'

const BAR = 40

/** A context as people read it: what the model gets, then why. */
export function printContext({ messages, receipt }: Context): void {
  for (const message of messages) printMessage(message)
  print('')
  printReceipt(receipt)
}

function printMessage({ role, name, content }: ContextMessage): void {
  print(`${bold((name ?? role).padEnd(10))} ${clip(readableText(content), 100)}`)
}

export function printReceipt(receipt: Receipt): void {
  const { tokens, budgetTokens, parts, omitted, repairs, sharedPrefix } = receipt
  const filled = Math.min(BAR, Math.ceil((tokens / budgetTokens) * BAR))
  print(
    `${green('█'.repeat(filled))}${dim('░'.repeat(BAR - filled))} ${formatCount(tokens)} of ${formatCount(budgetTokens)} tokens`,
  )
  for (const part of parts) {
    const count = part.messageIds.length === 0 ? '' : ` · ${part.messageIds.length} messages`
    print(`  ${part.section.padEnd(8)}${formatCount(part.tokens).padStart(8)}  ${part.reason}${dim(count)}`)
  }
  for (const { tokens: left, reason, runs } of omitted) {
    print(
      `  ${yellow('left out')}${formatCount(left).padStart(8)}  ${reason}${dim(` · ${runs.map(([from, to]) => (from === to ? `#${from}` : `#${from}–${to}`)).join(', ')}`)}`,
    )
  }
  for (const { repair } of repairs) print(`  ${yellow('mended')}            ${repair}`)
  print(`  ${dim('prefix')}            ${sharedPrefix.brokenBecause ?? dim(describePrefix(sharedPrefix))}`)
}

function describePrefix({ messages, tokens }: Receipt['sharedPrefix']): string {
  if (messages === 0) return 'the first context of this conversation'
  return `begins with all ${formatCount(messages)} messages of the last one, ${formatCount(tokens)} tokens`
}
