// The first message of a chat is typed on the "new chat" page and sent from the conversation page.

import { client } from '../../api/client.ts'
import { localValues } from '../../browser-storage.ts'
import { addressOf, navigate } from '../../router.tsx'
import { refreshList } from '../conversations/conversation-list.ts'
import { attachFiles } from '../documents/use-documents.ts'
import { turnSettings } from '../settings/turn-settings.ts'

const pending = new Map<string, string>()

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
  const isMemoryOff = isIncognito || !turnSettings.get().isMemoryOn
  await client.createConversation({ id, ...(isMemoryOff && { isMemoryOn: false }) })
  return id
}

interface FileChat {
  readonly draftName: string
  readonly isIncognito: boolean
}

/** Starts a chat with files and carries the draft over. */
export async function beginWithFiles(
  files: readonly File[],
  { draftName, isIncognito }: FileChat,
): Promise<void> {
  const id = await createChat(isIncognito)
  const draft = localValues.get(`draft.${draftName}`)
  if (draft !== undefined) localValues.set(`draft.${id}`, draft)
  localValues.remove(`draft.${draftName}`)
  navigate(addressOf(id))
  void refreshList()
  await attachFiles(id, files)
}

export const setFirstMessage = (conversationId: string, text: string): void => {
  pending.set(conversationId, text)
}

/** Returns the message once, so that reopening the page doesn't send it again. */
export function takeFirstMessage(conversationId: string): string | undefined {
  const text = pending.get(conversationId)
  pending.delete(conversationId)
  return text
}

/** `crypto.randomUUID` is not available on plain HTTP from another machine. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
