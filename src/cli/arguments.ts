import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { InvalidArgumentError } from 'commander'
import { MemoryError } from '../index.ts'

/** For commander: a whole number that is not negative. */
export function toCount(text: string): number {
  const number = Number(text)
  if (text.trim() !== '' && Number.isSafeInteger(number) && number >= 0) return number
  throw new InvalidArgumentError('It must be a whole number.')
}

/** For commander: a number between 0 and 1. */
export function toShare(text: string): number {
  const number = Number(text)
  if (text.trim() !== '' && number >= 0 && number <= 1) return number
  throw new InvalidArgumentError('It must lie between 0 and 1.')
}

/** For commander: an option that may be given several times. */
export const collect = (text: string, list: readonly string[] = []): readonly string[] => [...list, text]

function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new MemoryError('not-found', `${path} cannot be read`, { hint: (cause as Error).message, cause })
  }
}

export function readJsonFile(path: string): unknown {
  const text = readTextFile(path)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new MemoryError('invalid-input', `${path} is not valid JSON`, {
      hint: (cause as Error).message,
      cause,
    })
  }
}

/** Asks before something that cannot be undone; where nobody can be asked, `--yes` must have been given. */
export async function confirm(question: string, isYes: boolean): Promise<void> {
  if (isYes) return
  if (process.stdin.isTTY !== true) {
    throw new MemoryError('invalid-input', 'this cannot be undone and was not confirmed', {
      hint: 'add --yes',
    })
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} Type yes: `)
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') {
    throw new MemoryError('invalid-input', 'not confirmed; nothing was changed')
  }
}
