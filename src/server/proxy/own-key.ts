const OWN_KEY = /^Bearer +recollect_\S+ *$/i

/** Whether this is a key to Recollect, and not one to the server behind it. */
export const isOwnKey = (authorization: string | null): boolean =>
  authorization !== null && OWN_KEY.test(authorization)

/**
 * The key that a client of the proxy shows: in a header of its own, or where OpenAI's clients put theirs. Any other key
 * there is meant for the server behind.
 */
export function shownKey({ headers }: Request): string | null {
  const own = headers.get('x-recollect-key')
  if (own !== null) return `Bearer ${own}`
  const given = headers.get('authorization')
  return isOwnKey(given) ? given : null
}
