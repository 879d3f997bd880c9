const HAS_MORE = /\s\s|[^\S ]/

/** Collapses white space to single spaces. Tests first: most texts need no change, and a test is cheaper. */
export function toSingleSpaces(text: string): string {
  return HAS_MORE.test(text) ? text.replaceAll(/\s+/g, ' ') : text
}
