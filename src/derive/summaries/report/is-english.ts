const MARKERS: ReadonlySet<string> = new Set(
  `the of and to is are was were you your that it it's for with this have has not what my we they be at on from would will
   can could about there their how when where who why because if which been do does did don't i'm i've i'd i'll i me
   an or but by should let's please`.split(/\s+/),
)

/** At least one word in six of English text is one of these; other languages share almost none of them. */
const LEAST_SHARE = 1 / 6

/** Whether a text is English, by its function words. */
export function isEnglish(text: string): boolean {
  const words =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}']+/gu) ?? []
  let markers = 0
  for (const word of words) if (MARKERS.has(word)) markers += 1
  return markers >= words.length * LEAST_SHARE
}
