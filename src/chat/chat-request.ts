import { type ChatOptions, chatOptions } from '../schemas/chat.ts'
import { check } from '../schemas/check.ts'

/** Refuses a turn that makes no sense, before anything is recorded. */
export function acceptChat(request: ChatOptions): void {
  check(chatOptions, request)
}
