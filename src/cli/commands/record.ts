import { createInterface } from 'node:readline'
import { text as readAll } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import {
  type ConversationMemory,
  MemoryError,
  type Message,
  type NewMessage,
  type Role,
} from '../../index.ts'
import { toShare } from '../arguments.ts'
import { countOf, dim, print, printJson } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

interface RecordFlags {
  readonly role: Role
  readonly name?: string
  readonly id?: string
  readonly at?: string
  readonly importance?: number
  readonly jsonl?: boolean
}

/** Messages recorded in one batch. */
const BATCH = 500

export function recordCommand(): Command {
  return newCommand('record', 'Record a message. It is on disk when the command returns.')
    .argument('<conversation>', 'id of the conversation; created if it does not exist')
    .argument('[text...]', 'text of the message (default: standard input)')
    .addOption(
      new Option('--role <role>', 'role of the speaker')
        .choices(['system', 'user', 'assistant', 'tool'])
        .default('user'),
    )
    .option('--name <speaker>', 'name of the speaker')
    .option('--id <id>', 'id of the message; recording the same id again changes nothing')
    .option('--at <time>', 'time of the message, such as 2026-05-01T12:00:00Z (default: now)')
    .option('--importance <number>', 'importance from 0 to 1', toShare)
    .option('--jsonl', 'read messages from standard input, one JSON object per line')
    .addHelpText(
      'after',
      '\nExamples:\n  recollect record trip "We are in Lisbon in May."\n  recollect record trip --jsonl < messages.jsonl',
    )
    .action((conversation: string, words: string[], flags: RecordFlags, command: Command) =>
      withMemory(command, { mayCreate: true }, async ({ memory, isJson }) => {
        const handle = memory.conversation(conversation)
        const recorded = flags.jsonl
          ? await recordLines(handle)
          : [await handle.record(await toMessage(words, flags))]
        if (isJson) printJson(recorded)
        else printRecorded(recorded)
      }),
    )
}

async function toMessage(words: readonly string[], flags: RecordFlags): Promise<NewMessage> {
  const { role, name, id, at, importance } = flags
  return {
    role,
    content: words.length > 0 ? words.join(' ') : (await readAll(process.stdin)).trimEnd(),
    ...definedFields({ name, id, createdAt: at, importance }),
  }
}

async function recordLines(handle: ConversationMemory): Promise<Message[]> {
  const recorded: Message[] = []
  let batch: NewMessage[] = []
  let number = 0
  const flush = async () => {
    if (batch.length > 0) recorded.push(...(await handle.record(batch)))
    batch = []
  }
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1
    if (line.trim() === '') continue
    batch.push(parseLine(line, number))
    if (batch.length >= BATCH) await flush()
  }
  await flush()
  return recorded
}

function parseLine(line: string, number: number): NewMessage {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new MemoryError('invalid-input', `line ${number} is not valid JSON`, {
      hint: 'earlier lines may be recorded already; if messages have an id, running the command again adds only the missing ones',
      cause,
    })
  }
}

function printRecorded(messages: readonly Message[]): void {
  for (const { position, id, tokens } of messages.slice(0, 20))
    print(`#${position}  ${id}  ${dim(countOf(tokens, 'token'))}`)
  if (messages.length > 20) print(dim(`… and ${messages.length - 20} more`))
}
