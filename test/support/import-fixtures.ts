import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ForeignConversation, ForeignFormat } from '../../src/record/import/foreign/foreign.ts'

/** The path of an export that was written by hand from the format's documentation. */
export const importFixture = (name: string): string => join(import.meta.dirname, '../fixtures/imports', name)

export const readFixture = (name: string): ReturnType<typeof JSON.parse> =>
  JSON.parse(readFileSync(importFixture(name), 'utf8'))

/** A conversation as the format's reader returns it. */
export const readForeign = (format: ForeignFormat, value: unknown): ForeignConversation =>
  format.read(value, JSON.stringify(value)) as ForeignConversation

/** Roles and texts, in short. */
export const wordsOf = (messages: ForeignConversation['messages']): readonly unknown[] =>
  messages.map(({ id, role, content }) => [id, role, content])
