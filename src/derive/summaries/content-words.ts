import { listWords } from '../../domain/words.ts'

/** Words without a subject: pronouns, auxiliaries, conjunctions, small talk, verbs of reporting. */
const EMPTY: ReadonlySet<string> = new Set(
  `a about above after again all almost already also always am an and another any anything are around as ask asks at away
   back be because been before being both but by can cannot come could did do does doing done down each either else even
   ever every everything few find first for from get gets getting give go goes going gone good got great had has have
   having he hear hello her here hers hey hi him himself his how i if in into is it its itself just keep know knows last
   let lets like likes little look looks lot lots made make makes many may maybe me mean means might mine more most much
   must my myself need needs never new next no not nothing now of off oh ok okay on once one only or other our ours out
   over own people please pretty put quite really right said same say says see sees seem seems shall she should since so
   some someone something soon sorry still such suggest suggests sure take takes tell tells than thank thanks that the
   their theirs them themselves then there these they thing things think thinks this those though through time to today
   together told too try two under until up us use used usually very want wants was way we well went were what when where
   which while who whom whose why will with without won would wow yeah yes yet you your yours yourself s t m re ve ll d
   don didn doesn isn aren wasn weren haven hasn hadn couldn wouldn shouldn user assistant advises offers whether although though unless whenever whoever whatever except according besides however
   der die das und ist ich du er sie es wir ihr nicht ein eine einen den dem zu mit von auf für im in an auch aber oder
   el la los las un una y o de del que en es no se por para con su al lo como más pero sus le ya yo tú mi me te
   le les des et est je tu il elle nous vous ils que qui dans pour pas sur au avec ce se ne plus par`.split(
    /\s+/,
  ),
)

/** The words that carry the subject of a text, in order, without their endings. */
export function contentWords(text: string): string[] {
  const words: string[] = []
  for (const word of listWords(text)) {
    if (!EMPTY.has(word) && (word.length > 1 || !/[a-z]/.test(word))) words.push(stem(word))
  }
  return words
}

export function isEmptyWord(folded: string): boolean {
  return EMPTY.has(folded)
}

/** The sum of weights, divided by one more than the number of words, so that single words do not rank highest. */
export function meanWeight(words: readonly string[], weightOf: (word: string) => number): number {
  return words.reduce((sum, word) => sum + weightOf(word), 0) / (words.length + 1)
}

// Removes endings only: enough to match "booked", "booking" and "books", and harmless in other languages.
function stem(word: string): string {
  if (word.length === 4) return word.endsWith('s') && /^[a-z]{3}/.test(word) ? word.slice(0, -1) : word
  if (word.length < 5 || !/^[a-z]+$/.test(word)) return word
  const bare = cutDoubled(cutEnding(word))
  return bare.endsWith('e') ? bare.slice(0, -1) : bare
}

function cutEnding(word: string): string {
  if (word.endsWith('ies') || word.endsWith('ied')) return `${word.slice(0, -3)}y`
  if (word.endsWith('ing')) return word.slice(0, -3)
  if (word.endsWith('ed') || word.endsWith('es')) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

/** Turns "stopp" into "stop", but keeps "pass" and "fall". */
function cutDoubled(word: string): string {
  const last = word.charAt(word.length - 1)
  const isDoubled = word.charAt(word.length - 2) === last && !'aeiouls'.includes(last)
  return isDoubled ? word.slice(0, -1) : word
}
