// Where a context looks for memory. A call, the conversation or the workspace may set the scope. Without one, a page and
// a conversation with its own documents are searched first, and the rest of the workspace only if nothing is found
// there; every other conversation searches the workspace.

import type { Conversation } from '../domain/conversation.ts'
import { definedFields } from '../domain/defined-fields.ts'
import type { ConversationId } from '../domain/ids.ts'
import { type ReceiptScope, type Scope, type ScopeName, scopeOfConversation } from '../domain/scope.ts'
import type { ContextOptions } from '../schemas/chat.ts'
import type { RecallOptions } from '../schemas/recall.ts'
import type { ContextPage } from './material.ts'

/** The options of recall that say where to look. */
export type RecallWithin = Pick<
  RecallOptions,
  'scope' | 'pageId' | 'currentConversationId' | 'activeFile' | 'activeFileConversationIds' | 'now'
>

export interface ChosenScope {
  readonly scope: Scope
  readonly setBy: ReceiptScope['setBy']
  /** If nothing is found there, the workspace is searched. */
  readonly mayWiden: boolean
}

interface Asked {
  readonly request: Pick<ContextOptions, 'scope' | 'pageId'>
  readonly conversation: Conversation | undefined
  readonly page: ContextPage | undefined
  /** The scope set for the workspace. */
  readonly ofWorkspace: Scope | undefined
}

export function chooseScope({ request, conversation, page, ofWorkspace }: Asked): ChosenScope {
  const set = (scope: Scope, setBy: ReceiptScope['setBy']) => ({ scope, setBy, mayWiden: false })
  if (request.scope !== undefined) return set(request.scope, 'call')
  const own = conversation && scopeOfConversation(conversation.metadata)
  if (own !== undefined) return set(own, 'conversation')
  if (ofWorkspace !== undefined) return set(ofWorkspace, 'workspace')
  const isOnPage = request.pageId !== undefined || (page?.activeFile ?? null) !== null
  // With a file open, the question is about this page.
  if (isOnPage) return { scope: 'page', setBy: 'default', mayWiden: page?.document === undefined }
  if ((conversation?.documents.length ?? 0) > 0)
    return { scope: 'conversation', setBy: 'default', mayWiden: true }
  return set('workspace', 'default')
}

export function toWithin(
  { scope }: Pick<ChosenScope, 'scope'>,
  {
    id,
    page,
    request,
  }: {
    readonly id: ConversationId
    readonly page: ContextPage | undefined
    readonly request: Pick<ContextOptions, 'pageId' | 'now'>
  },
): RecallWithin {
  const activeFile = page?.activeFile?.id
  return {
    scope,
    currentConversationId: id,
    ...definedFields({
      pageId: request.pageId,
      now: request.now,
      activeFile,
      activeFileConversationIds: activeFile === undefined ? undefined : page?.document?.conversationIds,
    }),
  }
}

export function toReceiptScope(
  { scope, setBy }: ChosenScope,
  { isWidened }: { readonly isWidened: boolean },
): ReceiptScope {
  if (isWidened) return { used: 'workspace', setBy, beyond: scope as ScopeName }
  return { used: typeof scope === 'string' ? scope : 'conversations', setBy }
}
