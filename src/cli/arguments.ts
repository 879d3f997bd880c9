import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { InvalidArgumentError } from 'commander'
import { MemoryError, SCOPE_NAMES, type Scope } from '../index.ts'

/** Commander parser for a non-negative integer. */
export function toCount(text: string): number {
  const number = Number(text)
  if (text.trim() !== '' && Number.isSafeInteger(number) && number >= 0) return number
  throw new InvalidArgumentError('Expected a whole number.')
}

/** Commander parser for a number between 0 and 1. */
export function toShare(text: string): number {
  const number = Number(text)
  if (text.trim() !== '' && number >= 0 && number <= 1) return number
  throw new InvalidArgumentError('Expected a number between 0 and 1.')
}

/** Commander parser for a scope: its name, or conversation ids separated by commas. */
export function toScope(text: string): Scope {
  const name = SCOPE_NAMES.find((one) => one === text)
  return name ?? text.split(',').map((id) => id.trim())
}

/** Commander parser for an option that can be repeated. */
export const collect = (text: string, list: readonly string[] = []): readonly string[] => [...list, text]

function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new MemoryError('not-found', `can't read ${path}`, { hint: (cause as Error).message, cause })
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

/** Asks before an action that can't be undone. Without a terminal, `--yes` is required. */
export async function confirm(question: string, isYes: boolean): Promise<void> {
  if (isYes) return
  if (process.stdin.isTTY !== true) {
    throw new MemoryError('invalid-input', "this can't be undone and needs confirmation", {
      hint: 'add --yes to confirm',
    })
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} Type yes to confirm: `)
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') {
    throw new MemoryError('invalid-input', 'not confirmed, nothing was changed')
  }
}
