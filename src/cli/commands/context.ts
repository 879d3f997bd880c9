import { type Command, InvalidArgumentError, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import {
  type Context,
  type ContextMessage,
  type ContextOptions,
  type ConversationMemory,
  diffReceipts,
  type ItemChange,
  MemoryError,
  type MessageChange,
  type Receipt,
  type ReceiptDiff,
  type ReceiptItem,
  type ReceiptName,
  type ReceiptOmission,
  type ReceiptPart,
  readableText,
  type Scope,
  type SectionChange,
  toAnthropic,
  toGemini,
  toOpenAi,
  type WindowName,
  withoutInjected,
} from '../../index.ts'
import { readJsonFile, toCount, toScope } from '../arguments.ts'
import {
  bold,
  clip,
  countOf,
  dim,
  formatCount,
  formatRuns,
  formatTime,
  green,
  print,
  printJson,
  red,
  yellow,
} from '../terminal.ts'
import { needConversation, newCommand, withMemory } from '../with-memory.ts'

interface ContextFlags {
  readonly budget?: number
  readonly window?: WindowName | number
  readonly system?: string
  readonly tools?: string
  readonly provider?: keyof typeof PROVIDERS
  readonly memory: boolean
  readonly memoryTokens?: number
  readonly diff?: number | true
  readonly now?: string
  readonly scope?: Scope
  readonly page?: string
}

const PROVIDERS = { openai: toOpenAi, anthropic: toAnthropic, gemini: toGemini } as const

export function contextCommand(): Command {
  return newCommand('context', 'Show the context a model would receive, and why.')
    .argument('<conversation>', 'id of the conversation')
    .argument('[question...]', 'the new question; defaults to the last recorded turn')
    .option('--budget <tokens>', 'maximum tokens of the request', toCount)
    .option('--window <size>', 'context window of the model: 12k, 128k, 262k or a number of tokens', toWindow)
    .option('--system <text>', 'system instructions')
    .option('--tools <file>', 'JSON file with the tool definitions, which count towards the budget')
    .option('--memory-tokens <tokens>', 'maximum tokens for memory', toCount)
    .option('--now <date>', 'when the question is asked: "last week" refers to it')
    .option(
      '--scope <scope>',
      'where to look: conversation, page, workspace, or comma-separated ids',
      toScope,
    )
    .option('--page <id>', 'page on which the question is asked')
    .option('--no-memory', 'only the messages of the conversation')
    .option(
      '--diff [back]',
      'show what changed since the previous context, or since <back> contexts ago',
      toDistance,
    )
    .addOption(
      new Option('--provider <name>', 'print the messages as JSON in the format of a provider').choices(
        Object.keys(PROVIDERS),
      ),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  recollect context trip "Where should we eat?" --budget 800\n  recollect context trip --provider openai\n  recollect context trip "And where to stay?" --diff',
    )
    .action((id: string, words: string[], flags: ContextFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const handle = await needConversation(memory, id)
        const context = await handle.context({
          ...definedFields({ query: words.length > 0 ? words.join(' ') : undefined }),
          ...toRequest(flags),
        })
        if (flags.diff !== undefined) return showDiff(handle, context, { ...flags, isJson })
        return showContext(context, { ...flags, isJson })
      }),
    )
}

type Shown = Pick<ContextFlags, 'diff' | 'provider'> & { readonly isJson: boolean }

async function showContext(context: Context, { provider, isJson }: Shown): Promise<void> {
  const { receiptSaved, ...shown } = context
  if (provider !== undefined) printJson(PROVIDERS[provider](context.messages))
  else if (isJson) printJson({ ...shown, isReceiptKept: await receiptSaved })
  else printContext(context)
}

async function showDiff(
  handle: ConversationMemory,
  { receipt }: Context,
  { diff, isJson }: Shown,
): Promise<void> {
  const back = diff === true || diff === undefined ? 1 : diff
  const receipts = (await handle.receipts.list({ limit: back + 1 })).items
  const before = receipts.filter(({ id }) => id !== receipt.id)[back - 1]
  if (before === undefined) {
    throw new MemoryError('not-found', `no earlier context to compare with (${back} back)`, {
      hint: 'list them with: recollect receipts <conversation>',
    })
  }
  const changes = diffReceipts(before, receipt)
  if (isJson) printJson(changes)
  else printDiff(changes)
}

function toRequest(flags: ContextFlags): ContextOptions {
  const { budget, window, system, tools, memoryTokens, memory, now, scope, page } = flags
  return {
    ...definedFields({ budgetTokens: budget, window, system, memoryTokens, now, scope, pageId: page }),
    ...(!memory && { memory }),
    ...(tools !== undefined && { tools: readJsonFile(tools) as readonly unknown[] }),
  }
}

function toDistance(text: string): number {
  const count = toCount(text)
  if (count > 0) return count
  throw new InvalidArgumentError('Expected at least 1.')
}

function toWindow(text: string): WindowName | number {
  if (text === '12k' || text === '128k' || text === '262k') return text
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new InvalidArgumentError('Expected 12k, 128k, 262k or a number of tokens.')
}

/** Prints what changed between two contexts. */
function printDiff({ before, after, sections, messages, items, prefix }: ReceiptDiff): void {
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

export function receiptsCommand(): Command {
  return newCommand('receipts', 'Show the receipts of the latest contexts of a conversation, newest first.')
    .argument('<conversation>', 'id of the conversation')
    .option('--limit <number>', 'maximum number of results', toCount, 5)
    .action((id: string, { limit }: { limit: number }, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const receipts = (await memory.conversation(id).receipts.list({ limit })).items
        if (isJson) return printJson(receipts)
        if (receipts.length === 0) return print('No contexts built for this conversation yet.')
        for (const receipt of receipts) {
          print(bold(`${formatTime(receipt.createdAt)}, after ${countOf(receipt.messageCount, 'message')}`))
          printReceipt(receipt)
        }
      }),
    )
}

export function summaryCommand(): Command {
  return newCommand(
    'summary',
    'Summarize a conversation with the language model, or from its own sentences without one.',
  )
    .argument('<conversation>', 'id of the conversation')
    .option('--max-tokens <number>', 'maximum length in tokens', toCount, 400)
    .action((id: string, { maxTokens }: { maxTokens: number }, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const summary = await (await needConversation(memory, id)).summary({ maxTokens })
        if (isJson) return printJson(summary)
        if (summary.text === '') return print('Nothing to summarize yet.')
        print(summary.text)
        if (summary.keyTopics.length > 0) print(dim(`Topics: ${summary.keyTopics.join(', ')}`))
        print(
          dim(`${countOf(summary.tokens, 'token')}, from ${countOf(summary.messageIds.length, 'message')}`),
        )
      }),
    )
}

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

function describePrefix({ messages, tokens, brokenBecause, brokenAt }: Receipt['sharedPrefix']): string {
  const shared = `${countOf(messages, 'message')}, ${countOf(tokens, 'token')}`
  if (brokenBecause !== undefined) {
    return messages === 0 ? brokenBecause : `${shared} unchanged, then ${brokenAt}: ${brokenBecause}`
  }
  if (messages === 0) return dim('first context of this conversation')
  return dim(`starts with the whole previous context: ${shared}`)
}
