import type { Wire } from 'recollect/react'
import type { Receipt as LibraryReceipt } from '../../api/types.ts'

export type Receipt = Wire<LibraryReceipt>
export type ReceiptPart = Receipt['parts'][number]
export type ReceiptItem = NonNullable<ReceiptPart['items']>[number]
export type Section = ReceiptPart['section']

/** Display names of the sections of a context. */
export const SECTION_NAMES: Readonly<Record<Section, string>> = {
  tools: 'Tools',
  system: 'Instructions',
  memory: 'Facts and preferences',
  summary: 'Summary of earlier messages',
  head: 'Start of the chat',
  tail: 'Recent messages',
  recalled: 'Recalled for this question',
  page: 'This page',
  notes: 'Notes',
  chunks: 'From documents',
  live: 'Your question',
}

export const KIND_NAMES: Readonly<Record<ReceiptItem['kind'], string>> = {
  message: 'Message',
  summary: 'Summary',
  fact: 'Fact',
  note: 'Note',
  chunk: 'Document',
  query: 'Query',
  preference: 'Preference',
  instruction: 'Instruction',
  block: 'Memory block',
  page: 'Page',
}
