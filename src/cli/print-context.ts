import {
  type Context,
  type ContextMessage,
  type Receipt,
  type ReceiptItem,
  type ReceiptOmission,
  type ReceiptPart,
  readableText,
  withoutInjected,
} from '../index.ts'
import { bold, clip, countOf, dim, formatCount, formatRuns, green, print, yellow } from './terminal.ts'

const BAR = 40
const SMALL_BAR = 10
const LINE = 100

/** Prints what the model receives, then the receipt. */
export function printContext({ messages, receipt }: Context): void {
  for (const message of messages) printMessage(message)
  print('')
  printReceipt(receipt)
}

/** Prints injected memory line by line, above the message it was added to. */
function printMessage({ role, name, content }: ContextMessage): void {
  const text = readableText(content)
  const said = withoutInjected(text)
  if (said !== text) {
    for (const line of text.slice(0, text.length - said.length).split('\n'))
      print(dim(`  ${clip(line, LINE)}`))
  }
  print(`${bold((name ?? role).padEnd(10))} ${clip(said, LINE)}`)
}

export function printReceipt(receipt: Receipt): void {
  const { tokens, budgetTokens, parts, omitted, repairs, sharedPrefix } = receipt
  print(`${drawBar(tokens, budgetTokens, BAR)} ${formatCount(tokens)} of ${formatCount(budgetTokens)} tokens`)
  for (const part of parts) printPart(part)
  for (const omission of omitted) printOmission(omission)
  for (const { repair } of repairs) print(`  ${yellow('repaired')}          ${repair}`)
  print(`  ${dim('prefix')}            ${describePrefix(sharedPrefix)}`)
}

function drawBar(tokens: number, mostTokens: number, width: number): string {
  const share = mostTokens === 0 ? 0 : tokens / mostTokens
  const filled = Math.min(width, Math.ceil(share * width))
  return `${green('█'.repeat(filled))}${dim('░'.repeat(width - filled))}`
}

function printPart({ section, tokens, budgetTokens, reason, messageIds, items }: ReceiptPart): void {
  const bar = budgetTokens === undefined ? ' '.repeat(SMALL_BAR) : drawBar(tokens, budgetTokens, SMALL_BAR)
  const most = budgetTokens === undefined ? '' : `of ${formatCount(budgetTokens)}`
  const isTurns = items === undefined && messageIds.length > 0
  const count = isTurns ? ` · ${countOf(messageIds.length, 'message')}` : ''
  print(
    `  ${section.padEnd(9)}${formatCount(tokens).padStart(7)} ${bar} ${dim(most.padEnd(10))} ${reason}${dim(count)}`,
  )
  for (const item of items ?? []) printItem(item)
}

function printItem({ kind, id, score, tokens, reasons, isCut }: ReceiptItem): void {
  const why = reasons.map(({ text }) => text).join('; ')
  const rank = score === undefined ? '' : `${score.toFixed(2)} `
  print(
    `  ${' '.repeat(9)}${formatCount(tokens).padStart(7)} ${dim(`${kind} ${id}${isCut ? ' (shortened)' : ''}`)} ${rank}${clip(why, LINE)}`,
  )
}

function printOmission({ tokens, reason, runs, item }: ReceiptOmission): void {
  const what =
    item === undefined
      ? formatRuns(runs)
      : `${item.kind} ${item.id}${item.score === undefined ? '' : ` ${item.score.toFixed(2)}`}`
  print(`  ${yellow('left out ')}${formatCount(tokens).padStart(7)} ${reason}${dim(` · ${what}`)}`)
}

export function describePrefix({
  messages,
  tokens,
  brokenBecause,
  brokenAt,
}: Receipt['sharedPrefix']): string {
  const shared = `${countOf(messages, 'message')}, ${countOf(tokens, 'token')}`
  if (brokenBecause !== undefined) {
    return messages === 0 ? brokenBecause : `${shared} unchanged, then ${brokenAt}: ${brokenBecause}`
  }
  if (messages === 0) return dim('first context of this conversation')
  return dim(`starts with the whole previous context: ${shared}`)
}
