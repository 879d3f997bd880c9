import { checkLimit } from '../schemas/values.ts'

/** How many items a list may have. */
export const acceptLimit = checkLimit
