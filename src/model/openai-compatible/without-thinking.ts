// Some servers hand on what a model thought as part of its answer, between tags at the beginning. It is no part of
// the answer, and must not end up in a summary.

const OPENING = /^\s*<(think|thinking)>/i
/** Prompts that end with the opening tag leave only the closing one in the answer. */
const CLOSING = /<\/(?:think|thinking)>\s*/i
const LONGEST_OPENING = '<thinking>'.length

/** An answer without the thoughts before it; empty when there is nothing else. */
export function withoutThinking(text: string): string {
  const closing = CLOSING.exec(text)
  const isUnopened = closing !== null && !/<think(?:ing)?>/i.test(text.slice(0, closing.index))
  if (!OPENING.test(text) && !isUnopened) return text
  return closing === null ? '' : text.slice(closing.index + closing[0].length)
}

/** The same for an answer in pieces; here an opening tag is needed. While the model thinks, pieces are empty. */
export async function* streamWithoutThinking(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let held: string | undefined = ''
  for await (const piece of pieces) {
    if (held === undefined) {
      yield piece
      continue
    }
    held += piece
    const isOpen = mayBeThinking(held) && !CLOSING.test(held)
    const answer = OPENING.test(held) ? withoutThinking(held) : held
    // White space after the closing tag may still come.
    if (isOpen || answer === '') yield ''
    else {
      held = undefined
      yield answer
    }
  }
  if (held !== undefined && !OPENING.test(held) && held !== '') yield held
}

function mayBeThinking(text: string): boolean {
  if (OPENING.test(text)) return true
  const start = text.trimStart().toLowerCase()
  return start.length < LONGEST_OPENING && ('<think>'.startsWith(start) || '<thinking>'.startsWith(start))
}
