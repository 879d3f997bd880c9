import type { ConversationKey } from '../domain/ids.ts'

/** One word for a conversation of a workspace. */
export const cacheKeyOf = ({ workspace, conversation }: ConversationKey): string =>
  `${workspace}\u0000${conversation}`
