// Models wrap JSON in fences, introduce it and comment on it. Candidates are, in this order: the whole answer; what
// stands in fences, the last first; and every piece in braces or brackets that is closed, the last first, since the
// answer comes after the thinking aloud and after what was quoted. Time grows with the text and no faster.

const FENCE = /```([\s\S]*?)```/g
const FENCE_LABEL = /^[a-z0-9]{0,20}\s/i
/** An unclosed text ends with its line, so that no text is looked through twice. */
const SIGNS = /"(?:[^"\\\n]|\\[^\n])*"?|[{}[\]]/g
const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['}', '{'],
  [']', '['],
])

/** Of fences and pieces each: an answer with more of them is no answer. */
const MOST_CANDIDATES = 20

/** The JSON values that may be the answer, the likeliest first. */
export function* findJson(text: string): Generator<unknown> {
  const fenced = [...text.matchAll(FENCE)].slice(-MOST_CANDIDATES).map(([, inside = '']) => inside)
  const candidates = [
    text,
    ...fenced.map((inside) => inside.replace(FENCE_LABEL, '')).toReversed(),
    ...closedPieces(text).slice(-MOST_CANDIDATES).toReversed(),
  ]
  for (const candidate of candidates) {
    const parsed = tryParse(candidate.trim())
    if (parsed !== undefined) yield parsed.value
  }
}

function tryParse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

interface Piece {
  readonly start: number
  readonly end: number
}

/** Outermost pieces from an opening brace or bracket to its closing one. */
function closedPieces(text: string): string[] {
  const openers: number[] = []
  const pieces: Piece[] = []
  for (const { 0: sign, index } of text.matchAll(SIGNS)) {
    if (sign === '{' || sign === '[') openers.push(index)
    const opener = CLOSERS.get(sign)
    if (opener === undefined || text[openers.at(-1) ?? -1] !== opener) continue
    const start = openers.pop() as number
    while ((pieces.at(-1)?.start ?? -1) > start) pieces.pop()
    pieces.push({ start, end: index + 1 })
  }
  return pieces.map(({ start, end }) => text.slice(start, end))
}
