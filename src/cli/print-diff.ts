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

/** Prints what changed between two contexts. */
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
  if (messages.length + items.length === 0) print(dim('  same messages and same memory'))
  const shared = prefix === undefined ? dim('other contexts were built in between') : describePrefix(prefix)
  print(`  ${dim('prefix')}  ${shared}`)
}

function describe({ createdAt, messageCount, tokens, budgetTokens }: ReceiptName): string {
  return `${bold(formatTime(createdAt))}, after ${countOf(messageCount, 'message')}: ${formatCount(tokens)} of ${formatCount(budgetTokens)} tokens`
}

function printSection({ section, beforeTokens, afterTokens }: SectionChange): void {
  const change = afterTokens - beforeTokens
  const sign = change > 0 ? green(`+${formatCount(change)}`) : red(`−${formatCount(-change)}`)
  const columns = [beforeTokens, afterTokens].map((tokens) => formatCount(tokens).padStart(8))
  print(`  ${section.padEnd(9)}${columns.join(' →')}  ${change === 0 ? dim('unchanged') : sign}`)
}

function describeMove({ from, to }: MessageChange | ItemChange): string {
  if (from === undefined) return `${green('added')}   to ${to}:`
  if (to === undefined) return `${red('removed')} from ${from}:`
  return `${yellow('moved')}   ${from} → ${to}:`
}
