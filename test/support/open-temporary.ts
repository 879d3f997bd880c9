import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Memory, type OpenOptions, openMemory } from '../../src/index.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A memory in a file that is gone after the test. */
export async function openTemporary(options?: OpenOptions, file = 'memory.db'): Promise<Memory> {
  const folder = temporaryFolder()
  const memory = await openMemory(join(folder, file), options)
  onTestFinished(() => memory.close())
  return memory
}

/** All pieces as one text. */
export async function collectText(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

/** A text in pieces of a few characters, as a stream might bring it. */
export async function* inPieces(text: string, size = 1000): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}
