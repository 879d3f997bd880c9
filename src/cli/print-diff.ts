import type { ItemChange, MessageChange, ReceiptDiff, ReceiptName, SectionChange } from '../index.ts'
import { describePrefix } from './print-context.ts'
import {
  bold,
  countOf,
  dim,
  formatCount,
  formatRuns,
  formatTime,
  green,
  print,
  red,
  yellow,
} from './terminal.ts'

/** What changed between two contexts, as people read it. */
export function printDiff({ before, after, sections, messages, items, prefix }: ReceiptDiff): void {
  print(`${dim('before')} ${describe(before)}`, `${dim('after ')} ${describe(after)}`, '')
  for (const section of sections) printSection(section)
  for (const change of messages) {
    print(`  ${describeMove(change)} ${dim(`messages ${formatRuns(change.runs)}`)}`)
  }
  for (const change of items) {
    print(
      `  ${describeMove(change)} ${change.kind} ${change.id} ${dim(`${formatCount(change.tokens)} tokens`)}`,
    )
  }
  if (messages.length + items.length === 0) print(dim('  the same turns, and the same is remembered'))
  const kept =
    prefix === undefined ? dim('there were other contexts between the two') : describePrefix(prefix)
  print(`  ${dim('prefix')}  ${kept}`)
}

function describe({ createdAt, messageCount, tokens, budgetTokens }: ReceiptName): string {
  return `${bold(formatTime(createdAt))}, after ${countOf(messageCount, 'message')}: ${formatCount(tokens)} of ${formatCount(budgetTokens)} tokens`
}

function printSection({ section, beforeTokens, afterTokens }: SectionChange): void {
  const change = afterTokens - beforeTokens
  const sign = change > 0 ? green(`+${formatCount(change)}`) : red(`−${formatCount(-change)}`)
  const columns = [beforeTokens, afterTokens].map((tokens) => formatCount(tokens).padStart(8))
  print(`  ${section.padEnd(9)}${columns.join(' →')}  ${change === 0 ? dim('as before') : sign}`)
}

function describeMove({ from, to }: MessageChange | ItemChange): string {
  if (from === undefined) return `${green('came')}  into ${to}:`
  if (to === undefined) return `${red('went')}  from ${from}:`
  return `${yellow('moved')} ${from} → ${to}:`
}
