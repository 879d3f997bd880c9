import { MemoryError } from '../../../domain/errors.ts'
import type { ForeignFormat } from '../foreign/foreign.ts'
import type { ImportFormat } from '../imported.ts'
import { chatgpt } from './chatgpt.ts'
import { claude } from './claude.ts'
import { librechat } from './librechat.ts'
import { mem0 } from './mem0.ts'
import { openWebui } from './open-webui.ts'
import { openai } from './openai.ts'

/** In the order in which they are asked: those that are recognized by the most first. */
const FORMATS: readonly ForeignFormat[] = [chatgpt, claude, openWebui, librechat, openai, mem0]

/** What each format is, for whoever has to find out what a file is. */
const DESCRIPTIONS: Readonly<Record<ImportFormat, string>> = {
  recollect: 'what `recollect export` wrote',
  chatgpt: "ChatGPT's conversations.json, or the zip it comes in",
  claude: "Claude's conversations.json, or the zip it comes in",
  librechat: "LibreChat's export of a conversation as JSON",
  'open-webui': "Open WebUI's export of chats",
  openai: 'messages as in requests to OpenAI, {"messages":[…]} or {"role":…,"content":…} on each line',
  mem0: 'memories of mem0, as its get_all or export gives them',
}

export function findFormat(value: unknown): ForeignFormat | undefined {
  return FORMATS.find((format) => format.recognizes(value))
}

export function formatNamed(name: ImportFormat): ForeignFormat {
  const format = FORMATS.find((one) => one.name === name)
  if (format === undefined) throw new TypeError(`${name} is no foreign format`)
  return format
}

/** `problem` is what was wrong with the first record, where it could not be read at all. */
export function unknownFormat(problem?: string): MemoryError {
  const list = Object.entries(DESCRIPTIONS).map(([name, what]) => `  ${name.padEnd(11)} ${what}`)
  const message = 'this is no export that Recollect knows'
  return new MemoryError('invalid-input', problem === undefined ? message : `${message}: ${problem}`, {
    hint: `these can be imported:\n${list.join('\n')}`,
  })
}
