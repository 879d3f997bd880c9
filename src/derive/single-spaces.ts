const HAS_MORE = /\s\s|[^\S ]/

/** The text with a single space wherever there is white space. Most have nothing else: to look is cheaper than to replace. */
export function toSingleSpaces(text: string): string {
  return HAS_MORE.test(text) ? text.replaceAll(/\s+/g, ' ') : text
}
