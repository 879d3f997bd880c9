import type { DateSpan } from '../../domain/dates/date-span.ts'
import { COMMON_WORDS, findWords, SMALL_WORDS, type Word } from '../../domain/words.ts'
import { membersOf } from './kinds-of-things.ts'
import { formsIn, type Language, languageOf } from './languages.ts'
import { asksForAll, type QuestionCues, readCues } from './question-cues.ts'
import { readQuestionDates } from './question-dates.ts'
import { formsOf, relativesOf } from './word-forms.ts'

/** A word of the question, and what else counts as having it. */
export interface Term {
  /** Folded, as in the question. */
  readonly word: string
  /** The word and its inflected forms, as indexed. */
  readonly forms: readonly string[]
  /** Words that match at half the weight: same root, synonyms, or members of the kind it names. */
  readonly relatives: readonly string[]
  /** Words of a thesaurus, which match at a lower weight. */
  readonly distant: readonly string[]
  /** 0 to 1: lower for common words, lowest for words that only phrase the question. */
  readonly weight: number
}

export interface Question {
  readonly text: string
  readonly terms: readonly Term[]
  /** Neighbours in the question: indexes into `terms`. */
  readonly pairs: readonly (readonly [number, number])[]
  readonly cues: QuestionCues
  readonly asksForAll: boolean
  /** The dates that it names. */
  readonly spans: readonly DateSpan[]
}

/** Maximum words that are searched for. */
const MAX_TERMS = 32
const COMMON_WEIGHT = 0.6
const ASKING_WEIGHT = 0.25
/** Words added from earlier turns count half. */
const CARRIED_WEIGHT = 0.5

const wordList = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Words that form questions. */
const INTERROGATIVE =
  wordList(`when where why how what which who whom whose did does do is are was were has have had would
  could should can will kind type many long much often`)

/** Words that say what to do with the results. */
const ASKING =
  wordList(`list order mention mentioned mentions brought bring aspects aspect different conversations
  conversation throughout across comprehensive summary summarize provide clear complete including include key items item
  walk discussed discuss recommend recommended suggest suggested ensure discussion discussions chats chat talked remember
  recall remind name names called`)

export interface ReadQuestionOptions {
  readonly now: Date
  /** Folded words that were added from earlier turns. */
  readonly carried?: readonly string[]
  /** Looks words up in a thesaurus. English. */
  readonly relatedWords?: (word: string) => readonly string[]
}

export function readQuestion(
  text: string,
  { now, carried = [], relatedWords = () => [] }: ReadQuestionOptions,
): Question {
  const cues = readCues(text)
  const words = findWords(text)
  const language = languageOf(words.map(({ word }) => word))
  const spans = readQuestionDates(text, { now, lean: 'past', isEnglish: language === undefined })
  const isDate = ({ start }: Word) =>
    spans.some(({ index, text: date }) => start >= index && start < index + date.length)
  // Months are searched for even if they look like function words: "in May".
  const telling = words.filter(
    (word) =>
      (isTelling(word.word) && !language?.functionWords.has(word.word)) ||
      (isDate(word) && MONTHS.has(word.word)),
  )
  const asked = joinUnspaced(telling, text)
  const chosen = chooseWords(asked.map(({ word }) => word))
  const leaning = new Set(carried)
  const terms = chosen.map((word) =>
    toTerm(word, { share: leaning.has(word) ? CARRIED_WEIGHT : 1, language, relatedWords }),
  )
  const indexOf = new Map(chosen.map((word, index) => [word, index]))
  return {
    text,
    terms,
    pairs: findPairs(words, indexOf),
    cues,
    asksForAll: asksForAll(text, cues),
    spans,
  }
}

const MONTHS = wordList(
  `january february march april may june july august september october november december`,
)

const isTelling = (word: string): boolean => !(SMALL_WORDS.has(word) || INTERROGATIVE.has(word))

/** Scripts without spaces are indexed by character: two adjacent characters are searched for together. */
function joinUnspaced(words: readonly Word[], text: string): readonly Pick<Word, 'word'>[] {
  return words.flatMap((word, i) => {
    const next = words[i + 1]
    if (!isUnspaced(word, text)) return [word]
    if (next !== undefined && next.start === word.end) return [{ word: `${word.word} ${next.word}` }]
    const before = words[i - 1]
    return before !== undefined && before.end === word.start ? [] : [word]
  })
}

const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u
const isUnspaced = ({ start, end }: Word, text: string): boolean => UNSPACED.test(text.slice(start, end))

/** Unique words; of very many, the most specific ones, for which length is a proxy. */
function chooseWords(words: readonly string[]): readonly string[] {
  const unique = [...new Set(words)]
  if (unique.length <= MAX_TERMS) return unique
  const best = unique
    .map((word, index) => ({
      word,
      index,
      value: (weightOf(word) === 1 ? 100 : 0) + Math.min(word.length, 12),
    }))
    .sort((one, other) => other.value - one.value || one.index - other.index)
    .slice(0, MAX_TERMS)
  return best.sort((one, other) => one.index - other.index).map(({ word }) => word)
}

function weightOf(word: string): number {
  if (ASKING.has(word)) return ASKING_WEIGHT
  return COMMON_WORDS.has(word) ? COMMON_WEIGHT : 1
}

interface TermOptions {
  readonly share: number
  readonly language: Language | undefined
  readonly relatedWords: (word: string) => readonly string[]
}

function toTerm(word: string, { share, language, relatedWords }: TermOptions): Term {
  const forms = language === undefined ? formsOf(word) : formsIn(language, word)
  const known = new Set(forms)
  const members = membersOf(forms).flatMap((member) => [member, `${member}s`])
  const synonyms = synonymsOf(forms).flatMap(formsOf)
  const relatives = [...new Set([...members, ...synonyms, ...relativesOf(word)])]
  const weight = weightOf(word)
  const isExtended = weight >= COMMON_WEIGHT && language === undefined
  const near = new Set([...forms, ...relatives])
  const distant = isExtended ? forms.flatMap(relatedWords).flatMap(formsOf) : []
  return {
    word,
    forms,
    relatives: weight < COMMON_WEIGHT ? [] : relatives.filter((form) => !known.has(form)),
    distant: [...new Set(distant)].filter((form) => !near.has(form)),
    weight: weight * share,
  }
}

/** Adjacent words of the question that are both searched for. */
function findPairs(
  words: readonly Word[],
  indexOf: ReadonlyMap<string, number>,
): readonly (readonly [number, number])[] {
  return words.slice(1).flatMap((word, i): (readonly [number, number])[] => {
    const one = indexOf.get((words[i] as Word).word)
    const other = indexOf.get(word.word)
    return one === undefined || other === undefined || one === other ? [] : [[one, other]]
  })
}

// Groups of everyday English synonyms, because questions seldom use the words of their answers. Each word matches the
// others of its group at half the weight.

const GROUPS: readonly (readonly string[])[] = `
  buy purchase order|sell sale|begin start launch|finish complete end|build construct create make|repair fix mend
  break damage ruin|hurt injure injury wound sprain|sick ill unwell illness disease|heal recover recovery|tired exhausted fatigue
  scared afraid fear frightened scary|happy glad joyful thrilled|sad unhappy upset|angry mad furious
  worried anxious nervous concern|excited thrilled eager|proud pride|calm relax peaceful soothing|stress pressure tension
  love adore|like enjoy|hate dislike|favorite favourite|prefer preference rather|want wish hope|plan intend intention
  goal aim objective target|dream aspiration ambition|try attempt|decide decision choose choice
  suggest suggestion recommend recommendation advise advice|help assist support aid|encourage support motivate inspire
  motivate motivation inspire inspiration|teach instruct coach train|learn study|talk speak chat discuss conversation
  tell inform mention|ask request|answer reply respond|argue argument fight disagree|agree agreement deal|meet encounter
  visit trip stay|travel journey trip|vacation holiday getaway|move relocate|leave depart quit|arrive arrival reach
  live reside home|house home apartment|job work occupation career profession|boss manager supervisor
  colleague coworker teammate|company business firm employer|hire recruit employ|resign quit|salary pay income wage
  cost price fee expense|money cash fund|rich wealthy|donate donation charity|volunteer charity|win victory champion
  lose loss lost defeat|prize award medal trophy|contest competition tournament|race marathon|match game|team squad club
  exercise workout training|gym fitness|walk stroll hike|hike trail trek|bike bicycle cycling|car vehicle automobile
  drive ride|doctor physician medical|hospital clinic|medicine medication pills|surgery operation|pain ache sore
  diet nutrition eating|meal dinner lunch breakfast|cook bake recipe|dish recipe meal|restaurant cafe diner|drink beverage
  tasty delicious yummy|hungry starving|kid child son daughter|baby infant newborn|mother mom mum|father dad|parents mom dad
  wife spouse husband partner|marry wedding marriage|engaged fiance fiancee proposal|divorce breakup split separate
  friend buddy pal|neighbor neighbour|dog puppy pup|cat kitten kitty|adopt adoption rescue|animal wildlife|plant flower
  garden yard backyard|movie film|show series tv|watch see view|book novel|author writer|story tale|song track tune
  music band concert|singer vocalist musician|concert gig show|paint painting artwork|picture photo photograph image pic
  draw sketch drawing|art artwork|craft handmade|hobby pastime interest|game gaming|computer pc laptop|phone mobile cell
  app application software|program code programming|internet online web|website site page|bug error issue problem
  problem issue trouble difficulty challenge|challenge obstacle setback struggle|solve fix resolve|improve enhance better
  increase grow rise|decrease reduce drop lower|fast quick speed|slow delay|big large huge|small little tiny
  old ancient elderly|young youth|new recent latest|pretty beautiful gorgeous lovely|smart clever intelligent
  funny hilarious humor|important significant crucial key|special unique|strange weird odd unusual|hard difficult tough
  easy simple|safe secure security|danger dangerous risk|rain storm|ocean sea beach|mountain peak|forest woods|lake river
  city town|country nation|place location spot|school college university|class course lesson|student pupil
  teacher instructor professor|exam test|degree diploma|grade score mark|meeting appointment call|event occasion gathering
  party celebration|birthday anniversary|gift present|surprise unexpected|accident crash incident|police officer
  crime theft robbery steal|die death dead|funeral memorial|born birth|pregnant pregnancy expecting|religion faith church
  pray prayer|meditate meditation mindfulness|clothes clothing outfit|shoes sneakers boots|cup mug|tool equipment gear
  store shop market|join member membership|leader captain head|group club community team|organize arrange plan host
  attend participate join|workshop seminar conference|speech talk presentation|research study investigate
  collect collection gather|share post|memory remember|change transform switch|therapy therapist counseling counselor
  relationship partner dating|bond connection|trust rely|respect admire|grateful appreciate gratitude|family relatives
  alone lonely|deadline due|version release|budget spending|vote election|law legal rights|allergic allergy|camp camping tent
  outdoor outdoors nature
`
  .trim()
  .split(/\s*[|\n]\s*/)
  .map((group) => group.split(' '))

const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  [...new Set(GROUPS.flat())].map((word) => [
    word,
    GROUPS.filter((group) => group.includes(word))
      .flat()
      .filter((other) => other !== word),
  ]),
)

/** Synonyms of any of these word forms. */
function synonymsOf(forms: readonly string[]): readonly string[] {
  return [...new Set(forms.flatMap((form) => SYNONYMS.get(form) ?? []))]
}
