// The noun phrases of a message: "dock booking database", "leak in the roof". Which words are nouns is known for English from
// a list of those that rarely are (word-classes.ts); in German by capitals; in Spanish, French, Portuguese and Italian by the
// article or preposition before a word. In other languages every word that may name a subject counts. A phrase ends with its
// noun, may continue after a preposition, and is taken whole from the text. What a person asks for is marked.

import { RecentCache } from '../../domain/recent-cache.ts'
import { isSubjectWord } from '../../domain/subject-words.ts'
import { findWords, matchAll } from '../../domain/words.ts'
import { isDateWord } from '../facts/statements/read-values.ts'
import { ADJECTIVES, VERB_FORMS, VERBS } from './word-classes.ts'

/** A phrase of one message. */
export interface Subject {
  /** As it was written. */
  readonly text: string
  /** The stems of its content words. */
  readonly stems: readonly string[]
  /** The stems, joined by spaces. */
  readonly key: string
  /** Its last word is used as a noun. Other words only count: elsewhere they may be. */
  readonly isNoun: boolean
  /** It is what somebody asks for: "help me plan a …". */
  readonly isAsked?: boolean
}

const READ_CHARACTERS = 2000
const MAX_CONTENT_WORDS = 4
const MAX_SUBJECTS = 60

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** Words that tell the language of a message, and those before a noun. */
const MARKERS = {
  english:
    set(`the and is are was of for with my it you that this have to not what how we they be i'm it's can at please
    would should will don't there yes one your me`),
  german:
    set(`der die das und ist ich nicht ein eine mit für von den dem zu auf im wir sie es auch noch wie bitte du
    mir mich haben wird sind als oder aber wenn kann nur mein meine`),
  romance:
    set(`el los las una que de la en y del para por con le les des est et une je pas pour dans du que o os as um uma
    não e do da no na em com il gli di che un è per sono con non della nel al mi me se lo su sua seu nos mon ma hay muy`),
}
type Language = keyof typeof MARKERS

const BEFORE_NOUN: Readonly<Record<Language, ReadonlySet<string>>> = {
  english: set('the a an my our your his her their its this that these those some any no another'),
  german:
    set(`der die das den dem des ein eine einen einem einer mein meine meinen meinem meiner dein deine deinen unser unsere
    unseren kein keine keinen am im zum zur vom beim ins ans fürs`),
  romance:
    set(`el la los las un una unos unas del al mi mis tu su sus nuestro nuestra de le les une des du mon ma mes ton notre
    votre o os as um uma uns umas do da dos das no na nos nas ao pelo pela meu minha seu sua em il lo i gli l uno della dello
    dei degli delle nel nella nei sul sulla dal dalla alla di per`),
}

const JOINTS = set('of for in to at von vom für zur zum im de del du des di do da dos das della dello dei')
const ENGLISH_VERBS = set(VERBS)
const ENGLISH_VERB_FORMS = set(VERB_FORMS)
const ENGLISH_ADJECTIVES = set(ADJECTIVES)

/** What a person asks for comes soon after one of these. */
const ASKING =
  /(?<!\p{L})(?:help(?:ing)? (?:me|us)|(?:need|want|looking for|find|book|buy|plan|planning|writ(?:e|ing)|draft|build|building|working on|design|organi[sz]e|choose|moving|learn|start|set up|prepare)|brauch\p{L}*|such\p{L}*|schreib\p{L}*|plan\p{L}*|möchte\p{L}*|hilf mir|mach\p{L}*|busc\p{L}+|necesit\p{L}+|quier\p{L}+|ayúda\p{L}+|cherch\p{L}+|voudra\p{L}+|aide-\p{L}+|preciso|quero|ajud\p{L}+|cerc[ao]|vorrei|aiuta\p{L}*|procuro)(?!\p{L})/iu
const ASKED = new RegExp(`${ASKING.source}[^.!?\\n]{0,24}$`, 'iu')

/** Whether a phrase begins with an English adjective: "higher excess". */
export function isQualified(text: string): boolean {
  return ENGLISH_ADJECTIVES.has(text.split(' ')[0]?.toLowerCase() ?? '')
}

/** What a message is about, in the order in which it is said. */
export function findSubjects(text: string): readonly Subject[] {
  const plain = text
    .slice(0, READ_CHARACTERS)
    .replace(/```[\s\S]*?(?:```|$)/gu, '. ')
    .replace(/https?:\S+/gu, '. ')
  const language = languageOf(plain)
  const found = new Map<string, Subject>()
  for (const clause of plain.split(
    /[.!?;:,\n()"“”„«»|*•…–—]+(?=\s|$|[^\p{L}\p{N}])|\s-\s|[\n()"“”„«»|*•…–—]+/u,
  )) {
    const asks = ASKING.test(clause)
    for (const phrase of phrasesOf(readTokens(clause, language))) {
      if (found.size >= MAX_SUBJECTS) return [...found.values()]
      addSubject(found, phrase, asks && ASKED.test(clause.slice(0, phrase[0]?.at ?? 0)))
    }
  }
  return [...found.values()]
}

function addSubject(found: Map<string, Subject>, phrase: readonly Token[], isAsked: boolean): void {
  const stems = phrase.flatMap(({ stem }) => stem ?? [])
  const key = stems.join(' ')
  const isNoun = phrase.at(-1)?.kind === 'noun'
  if (found.has(key) && (found.get(key)?.isNoun || !isNoun)) return
  const text = phrase.map((token) => token.text).join(' ')
  found.set(key, { text, stems, key, isNoun, ...(isAsked && { isAsked }) })
}

const LANGUAGES = Object.keys(MARKERS) as readonly Language[]

function languageOf(text: string): Language | undefined {
  const words = text
    .slice(0, 800)
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}']+/gu)
  let best: Language | undefined
  let most = 0
  for (const language of LANGUAGES) {
    let count = 0
    for (const word of words ?? []) if (MARKERS[language].has(word)) count += 1
    if (count <= most) continue
    best = language
    most = count
  }
  // "Budget?" by itself tells no language.
  return best ?? (words?.every((word) => /^[a-z']+$/u.test(word)) === false ? undefined : 'english')
}

interface Token {
  readonly text: string
  /** Where it begins in its clause. */
  readonly at: number
  readonly kind: 'noun' | 'modifier' | 'word' | 'joint' | 'article' | 'other'
  /** Of nouns and modifiers. */
  readonly stem?: string
}

interface Place {
  readonly language: Language | undefined
  /** The word before the one before, where an article may be. */
  readonly article: string
  readonly before: string
  readonly after: string
  readonly isFirst: boolean
  /** The clause has capitals inside, so that those without one are no German nouns. */
  readonly hasCapitals: boolean
}

const WORD = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’./+#-]*/gu

/** What a word is wherever it is. */
interface WrittenWord {
  readonly text: string
  readonly small: string
  /** As it is in the index. */
  readonly word: string
  /** It may name a subject. */
  readonly isContent: boolean
  readonly isCapitalized: boolean
  readonly isInCapitals: boolean
}

const MAX_CACHED_WORDS = 4000
const cachedWords = new RecentCache<string, WrittenWord>(MAX_CACHED_WORDS)

/** Most words of a chat have been used in it before. */
function readWord(text: string): WrittenWord {
  const known = cachedWords.get(text)
  if (known !== undefined) return known
  const word = findWords(text)[0]?.word ?? ''
  const read = {
    text,
    small: text.toLowerCase(),
    word,
    isContent: !/^\p{N}/u.test(text) && isSubjectWord(word) && !isDateWord(text),
    isCapitalized: /^\p{Lu}\p{Ll}/u.test(text),
    isInCapitals: /^\p{Lu}{2,}$/u.test(text),
  }
  cachedWords.set(text, read)
  return read
}

function readTokens(clause: string, language: Language | undefined): readonly Token[] {
  const matches = matchAll(clause, WORD)
  const words = matches.map(([raw]) => raw.replace(/['’]s$|['’./-]+$/u, ''))
  const written = words.map(readWord)
  const shouted = written.filter(({ isInCapitals }) => isInCapitals).length
  const isShouted = shouted > 1 && shouted * 2 > words.length
  const read = isShouted ? words.map((word) => readWord(word.toLowerCase())) : written
  const hasCapitals = read.some(({ isCapitalized }, i) => isCapitalized && i > 0)
  return read.map((word, i) =>
    readToken(word, matches[i]?.index ?? 0, {
      language,
      article: read[i - 2]?.small ?? '',
      before: read[i - 1]?.small ?? '',
      after: read[i + 1]?.text ?? '',
      isFirst: i === 0,
      hasCapitals,
    }),
  )
}

function readToken(written: WrittenWord, at: number, place: Place): Token {
  const { text, small, word, isContent } = written
  const { language } = place
  if (!isContent) {
    if (JOINTS.has(small)) return { text, at, kind: 'joint' }
    const isArticle = language !== undefined && BEFORE_NOUN[language].has(small)
    return { text, at, kind: isArticle ? 'article' : 'other' }
  }
  const kind = kindOf(written, place)
  const stem = word.slice(0, Math.max(4, Math.ceil(word.length * 0.75)))
  const isGermanNoun = language === 'german' && kind === 'noun'
  return { text: isGermanNoun ? text.charAt(0).toUpperCase() + text.slice(1) : text, at, kind, stem }
}

type Kind = 'noun' | 'modifier' | 'word'

function kindOf({ text, small, isInCapitals }: WrittenWord, place: Place): Kind {
  const { language, isFirst } = place
  if (language === undefined) return 'noun'
  if (language === 'german') return germanKind(text, small, place)
  const isName = /^\p{Lu}/u.test(text) && !isFirst && !(text.length > 4 && isInCapitals)
  if (isName) return 'noun'
  return language === 'english' ? englishKind(small, place) : romanceKind(small, place)
}

function englishKind(small: string, place: Place): Kind {
  const isAfterArticle = BEFORE_NOUN.english.has(place.before)
  if (ENGLISH_ADJECTIVES.has(small)) return 'modifier'
  if (/[^e]ed$/u.test(small) && small.length > 5) return isAfterArticle ? 'modifier' : 'word'
  if (ENGLISH_VERB_FORMS.has(small)) return 'word'
  if (ENGLISH_VERBS.has(small)) return verbKind(small, place)
  return /\wly$/u.test(small) && small.length > 7 ? 'word' : 'noun'
}

/** A verb is a noun after an article, "the move", and after a noun in the singular, which needs "moves": "a treasure hunt". */
function verbKind(small: string, { article, before, after }: Place): Kind {
  const isAfterArticle = BEFORE_NOUN.english.has(before) && before !== 'that' && before !== 'this'
  if (isAfterArticle)
    return isSubjectWord(after.toLowerCase()) && !isVerb(after.toLowerCase()) ? 'modifier' : 'noun'
  const isAfterNoun = BEFORE_NOUN.english.has(article) && isSubjectWord(before) && !before.endsWith('s')
  return isAfterNoun && !isVerb(before) && !/(?:s|ed|ing)$/u.test(small) ? 'noun' : 'word'
}

const isVerb = (word: string): boolean => ENGLISH_VERBS.has(word) || ENGLISH_VERB_FORMS.has(word)

const PARTICIPLE = /^\p{L}{0,5}ge\p{L}{2,}(?:t|en)$/u
const FORMS_OF_ADDRESS = set('frau herr herrn damen herren')

function germanKind(text: string, small: string, place: Place): Kind {
  const { isFirst, hasCapitals } = place
  if (!/^\p{Lu}/u.test(text)) return hasCapitals ? 'word' : germanKindInSmallLetters(small, place)
  if (!isFirst) return FORMS_OF_ADDRESS.has(small) ? 'modifier' : 'noun'
  return /(?:ung|heit|keit|schaft|ion|tät)$/u.test(small) ? 'noun' : 'word'
}

function germanKindInSmallLetters(small: string, { before, after }: Place): Kind {
  if (!BEFORE_NOUN.german.has(before)) return 'word'
  const isBeforeNoun = isSubjectWord(after.toLowerCase()) && !PARTICIPLE.test(after)
  return /e[nrms]?$/u.test(small) && isBeforeNoun ? 'word' : 'noun'
}

const VERB_ENDING =
  /(?:[aei]ndo|[aei]ndome|[aei]mos|aron|ieron|aram|eram|iram|aba|aban|aría\p{L}*|[aei]r[áàé]s?|[aei]rán|ai(?:t|ent)|ò)$/u

function romanceKind(small: string, { before }: Place): Kind {
  if (VERB_ENDING.test(small)) return 'word'
  const isAfterElision = /^[ld]['’]/u.test(small)
  return BEFORE_NOUN.romance.has(before) || isAfterElision ? 'noun' : 'word'
}

/** Every noun; the longest phrase that ends with it, alone and with what follows a preposition; and its last two words. */
function phrasesOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  return tokens.flatMap((token, end) => {
    if (token.kind === 'word' || token.kind === 'modifier') return [[token]]
    if (token.kind !== 'noun') return []
    const begin = beginOf(tokens, end)
    const tail = tailOf(tokens, end)
    const starts = [...new Set([end, Math.max(begin, end - 1), begin])]
    return starts.flatMap((from) => {
      const phrase = tokens.slice(from, end + 1)
      const contents = [...phrase, ...tail].filter(({ stem }) => stem !== undefined)
      const isFollowed = tail.length > 0 && contents.length <= MAX_CONTENT_WORDS
      return isFollowed ? [phrase, [...phrase, ...tail]] : [phrase]
    })
  })
}

/** Where the phrase that ends here begins. */
function beginOf(tokens: readonly Token[], end: number): number {
  let begin = end
  while (end - begin < MAX_CONTENT_WORDS - 1 && isOfPhrase(tokens[begin - 1])) begin -= 1
  return begin
}

const isOfPhrase = (token: Token | undefined): boolean => token?.kind === 'noun' || token?.kind === 'modifier'

/** "of the roof": a preposition and the noun phrase after it. Nothing if a noun follows the noun. */
function tailOf(tokens: readonly Token[], end: number): readonly Token[] {
  let at = end + 1
  if (tokens[at]?.kind !== 'joint') return []
  at += tokens[at + 1]?.kind === 'article' ? 2 : 1
  while (tokens[at]?.kind === 'modifier') at += 1
  while (tokens[at]?.kind === 'noun' && tokens[at + 1]?.kind === 'noun') at += 1
  return tokens[at]?.kind === 'noun' ? tokens.slice(end + 1, at + 1) : []
}
