// A title without a model: the weightiest phrase of the first thing the user says. A sentence is cut into
// clauses; from each, what people say around their subject is taken off ("hey, could you please help me
// to …"), and what is left is read as phrases of content words, joined by the small words that belong inside a
// phrase ("trip to Lisbon in May"). Names, numbers and long words weigh most. Nothing is ever cut inside a
// phrase, and a greeting gives no title: the next message is then asked.

import { type Content, partsOf, type Role } from '../domain/message.ts'

interface Said {
  readonly role: Role
  readonly content: Content
}

/** Only the first turns make a title. */
export const TITLE_FROM = 10

const MOST_WORDS = 8
const MOST_CHARACTERS = 60
/** Long pastes carry their subject at the beginning. */
const READ_CHARACTERS = 2000

const wordList = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Never part of a title: pronouns, helping verbs, small talk, and the verbs of requests. */
const SMALL = wordList(
  `i me mine myself we us ours you yours he him she hers it its they them theirs this that these those am is are was
   were be been being do does did doing done have has had having can could will would shall should may might must what
   which who whom whose when where why how if then than so but or because as until while though although since not no
   nor only just very too also again here there now hey hi hello dear thanks thank please ok okay yes yeah well um uh
   let lets i'm i've i'd i'll we're we've we'd you're it's that's there's what's don't doesn't didn't can't couldn't
   won't wouldn't isn't aren't wasn't any some somebody someone something anything everything nothing all both each few
   more most other such own same need needs want wants wanted like know think thinking trying try going go get getting
   got make making give help helping helped tell show explain write find fix create build add look looking use using
   change describe suggest recommend ask asking asked say said see understand wondering wonder hoping hope plan planning
   start started best way ways good great cook eat read learn buy sell send keep put take come came run call pick choose
   love hate really maybe quick quickly currently about actually basically summarize summarise translate compare generate
   draft review debug convert implement list provide calculate attached following suche möchte kann kannst ich du er sie
   wir ihr mir mich dir bitte wie was warum ist sind war habe hat haben hallo quiero necesito puedes puedo me te se lo
   hola gracias por favor qué cómo cuál es son estoy je tu il elle nous vous veux peux voudrais suis est sont bonjour
   merci comment pourquoi eu você ele ela nós quero preciso pode posso olá obrigado como io vorrei voglio puoi ciao`,
)

/** Inside a phrase, between two content words. */
const JOINTS = wordList(
  `of in for to with at on from by between and the a an vs versus into over under per without my our your his her their
   de del la las el los en para con sin un una y mis mi le les des du au aux pour avec et der die das den dem des ein
   eine einen für mit von vom zu zum zur im und do da dos das em no na com um uma e il lo gli di della per`,
)

/** Fine inside a phrase, but no subject. */
const TIMES = wordList(
  'today tomorrow yesterday tonight morning afternoon evening night week weekend month year',
)

interface Token {
  readonly text: string
  readonly kind: 'content' | 'joint' | 'small'
  readonly isName: boolean
}

/** A title from the first user message that has a subject; undefined while none has. */
export function makeTitle(messages: readonly Said[]): string | undefined {
  for (const { role, content } of messages) {
    if (role !== 'user') continue
    const text = partsOf(content).find((part) => part.type === 'text')?.text
    const title = text === undefined ? undefined : titleOf(text.slice(0, READ_CHARACTERS))
    if (title !== undefined) return title
  }
  return undefined
}

function titleOf(text: string): string | undefined {
  const phrases = text
    .replace(/```.*?(```|$)/gs, ' ')
    .split(/[.!?;:,\n()"“”«»。！？、，]+(?:\s|$)|[\n。！？、，]|\s[-–—]\s/u)
    .flatMap((clause) => findPhrases(clause ?? ''))
  let best: Token[] = []
  for (const phrase of phrases) if (weigh(phrase) > weigh(best)) best = phrase
  return best.length === 0 ? undefined : [...toTitle(best)].slice(0, MOST_CHARACTERS).join('')
}

/** Runs of content words and the joints between them. */
function findPhrases(clause: string): Token[][] {
  const phrases: Token[][] = [[]]
  const words = clause.match(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’.+#/_-]*/gu) ?? []
  for (const token of words.map(toToken)) {
    if (token.kind === 'small') phrases.push([])
    else phrases.at(-1)?.push(token)
  }
  return phrases.map(trimPhrase).filter((phrase) => phrase.length > 0)
}

function toToken(raw: string, place: number): Token {
  const text = raw.replace(/['’./_-]+$/u, '')
  const folded = text.toLowerCase().replaceAll('’', "'")
  // May is a month, and Will a person, where a capital stands inside a clause.
  const isCapital = place > 0 && /^\p{Lu}\p{Ll}+$/u.test(text)
  if (SMALL.has(folded) && !isCapital) return { text, kind: 'small', isName: false }
  if (JOINTS.has(folded)) return { text, kind: 'joint', isName: false }
  // At the beginning of a clause a capital says nothing.
  const isName = place > 0 ? /^\p{Lu}|\p{N}/u.test(text) : /^\p{Lu}.*\p{Lu}|\p{N}/u.test(text)
  return { text, kind: 'content', isName }
}

/** Begins and ends with content; a long one ends before a joint. */
function trimPhrase(phrase: Token[]): Token[] {
  const first = phrase.findIndex(({ kind }) => kind === 'content')
  if (first < 0) return []
  const whole = phrase.slice(first, phrase.findLastIndex(({ kind }) => kind === 'content') + 1)
  if (fits(whole)) return whole
  const joint = whole.findLastIndex(({ kind }, i) => kind === 'joint' && fits(whole.slice(0, i)))
  if (joint > 0) return trimPhrase(whole.slice(0, joint))
  return whole.slice(
    0,
    Math.max(
      1,
      whole.findLastIndex((_, i) => fits(whole.slice(0, i))),
    ),
  )
}

function fits(phrase: readonly Token[]): boolean {
  return phrase.length <= MOST_WORDS && toTitle(phrase).length <= MOST_CHARACTERS
}

function weigh(phrase: readonly Token[]): number {
  return phrase.reduce((sum, { text, kind, isName }) => {
    if (kind !== 'content') return sum
    if (TIMES.has(text.toLowerCase())) return sum + 0.1
    return sum + 1 + Math.min(text.length, 12) / 12 + (isName ? 0.75 : 0)
  }, 0)
}

function toTitle(phrase: readonly Token[]): string {
  const text = phrase.map((token) => token.text).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
