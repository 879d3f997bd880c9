import { MemoryError } from '../../../domain/errors.ts'
import type { ForeignFormat } from '../foreign/foreign.ts'
import type { ImportFormat } from '../imported.ts'
import { chatgpt } from './chatgpt.ts'
import { claude } from './claude.ts'
import { librechat } from './librechat.ts'
import { mem0 } from './mem0.ts'
import { openWebui } from './open-webui.ts'
import { openai } from './openai.ts'

/** In detection order: the most specific first. */
const FORMATS: readonly ForeignFormat[] = [chatgpt, claude, openWebui, librechat, openai, mem0]

/** Shown when a file is not recognized. */
const DESCRIPTIONS: Readonly<Record<ImportFormat, string>> = {
  recollect: 'the output of `recollect export`',
  chatgpt: "ChatGPT's conversations.json, or its zip archive",
  claude: "Claude's conversations.json, or its zip archive",
  librechat: "LibreChat's export of a conversation as JSON",
  'open-webui': "Open WebUI's export of chats",
  openai: 'OpenAI chat messages, {"messages":[…]} or {"role":…,"content":…} per line',
  mem0: 'mem0 memories, from get_all or an export',
}

export function findFormat(value: unknown): ForeignFormat | undefined {
  return FORMATS.find((format) => format.recognizes(value))
}

export function formatNamed(name: ImportFormat): ForeignFormat {
  const format = FORMATS.find((one) => one.name === name)
  if (format === undefined) throw new TypeError(`${name} is not a foreign format`)
  return format
}

/** `problem` is the error of the first record, if it could not be read. */
export function unknownFormat(problem?: string): MemoryError {
  const list = Object.entries(DESCRIPTIONS).map(([name, what]) => `  ${name.padEnd(11)} ${what}`)
  const message = 'unknown export format'
  return new MemoryError('invalid-input', problem === undefined ? message : `${message}: ${problem}`, {
    hint: `supported formats:\n${list.join('\n')}`,
  })
}
