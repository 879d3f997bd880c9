// The first message of a chat is written on one page and sent on the next.

import { client } from '../../api/client.ts'
import { kept } from '../../kept.ts'
import { addressOf, navigate } from '../../router.tsx'
import { refreshList } from '../conversations/conversation-list.ts'
import { attachFiles } from '../documents/use-documents.ts'
import { turnSettings } from '../settings/turn-settings.ts'

const waiting = new Map<string, string>()

interface FirstMessage {
  readonly text: string
  readonly isIncognito: boolean
}

export async function beginChat({ text, isIncognito }: FirstMessage): Promise<void> {
  const id = await createChat(isIncognito)
  setFirstMessage(id, text)
  navigate(addressOf(id))
  void refreshList()
}

async function createChat(isIncognito: boolean): Promise<string> {
  const id = newId()
  const isForgotten = isIncognito || !turnSettings.get().isMemoryOn
  await client.createConversation({ id, ...(isForgotten && { isMemoryOn: false }) })
  return id
}

interface FileBeginning {
  readonly draftName: string
  readonly isIncognito: boolean
}

/** A chat that begins with files: what was written so far goes along. */
export async function beginWithFiles(
  files: readonly File[],
  { draftName, isIncognito }: FileBeginning,
): Promise<void> {
  const id = await createChat(isIncognito)
  const draft = kept.get(`draft.${draftName}`)
  if (draft !== undefined) kept.set(`draft.${id}`, draft)
  kept.remove(`draft.${draftName}`)
  navigate(addressOf(id))
  void refreshList()
  await attachFiles(id, files)
}

export const setFirstMessage = (conversationId: string, text: string): void => {
  waiting.set(conversationId, text)
}

/** Taken once: a page that is opened again does not send again. */
export function takeFirstMessage(conversationId: string): string | undefined {
  const text = waiting.get(conversationId)
  waiting.delete(conversationId)
  return text
}

/** Not `crypto.randomUUID`, which pages over plain HTTP from another machine do not have. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
