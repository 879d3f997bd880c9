import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ForeignConversation, ForeignFormat } from '../../src/record/import/foreign/foreign.ts'

/** The path of an export that was made by hand after the format's documents. */
export const importFixture = (name: string): string => join(import.meta.dirname, '../fixtures/imports', name)

export const readFixture = (name: string): ReturnType<typeof JSON.parse> =>
  JSON.parse(readFileSync(importFixture(name), 'utf8'))

/** A conversation as the format reads it. */
export const readForeign = (format: ForeignFormat, value: unknown): ForeignConversation =>
  format.read(value, JSON.stringify(value)) as ForeignConversation

/** What was said by whom, in short. */
export const wordsOf = (messages: ForeignConversation['messages']): readonly unknown[] =>
  messages.map(({ id, role, content }) => [id, role, content])
