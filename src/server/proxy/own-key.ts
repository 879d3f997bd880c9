const OWN_KEY = /^Bearer +recollect_\S+ *$/i

/** Whether this is a Recollect key, not one for the upstream server. */
export const isOwnKey = (authorization: string | null): boolean =>
  authorization !== null && OWN_KEY.test(authorization)

/**
 * The Recollect key of a proxy request: from our own header, or from where OpenAI clients send theirs. Any
 * other key there is for the upstream server.
 */
export function shownKey({ headers }: Request): string | null {
  const own = headers.get('x-recollect-key')
  if (own !== null) return `Bearer ${own}`
  const given = headers.get('authorization')
  return isOwnKey(given) ? given : null
}
