import type { ConversationKey } from '../domain/ids.ts'

/** A map key that identifies a conversation across workspaces. */
export const cacheKeyOf = ({ workspace, conversation }: ConversationKey): string =>
  `${workspace}\u0000${conversation}`
