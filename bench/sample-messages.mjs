// Messages to compress: those in a folder of `*.jsonl.gz` files, a conversation a line with `messages`, or
// made-up ones where no folder is given.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createMessageWriter } from './made-up-text.mjs'

const MADE_UP_CONVERSATIONS = 5
const MADE_UP_MESSAGES = 200

/** Sets of conversations: [{ name, conversations: [[content, …], …] }]. */
export function readSamples(folder) {
  if (folder === undefined) return [{ name: 'made-up text', conversations: makeUp() }]
  const files = listFiles(folder)
  if (files.length === 0) fail(`there is no file that ends in .jsonl.gz in ${folder}`)
  return files.map((file) => ({
    name: file.replace(/\.jsonl\.gz$/, ''),
    conversations: readConversations(join(folder, file)),
  }))
}

function listFiles(folder) {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.jsonl.gz'))
  } catch (error) {
    return fail(`the folder given with --data cannot be read: ${error.message}`)
  }
}

function readConversations(file) {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n')
  return lines.map((line) => {
    const { messages } = JSON.parse(line)
    if (!Array.isArray(messages)) fail(`${file} has a line without messages`)
    return messages.map(({ content }) => content)
  })
}

function makeUp() {
  const write = createMessageWriter(7)
  return Array.from({ length: MADE_UP_CONVERSATIONS }, () =>
    write(MADE_UP_MESSAGES).map(({ content }) => content),
  )
}

function fail(message) {
  console.error(`${message}\n\nWithout --data, made-up text is compressed.`)
  process.exit(1)
}
