import { COMMON_WORDS, isNumber, listWords, SMALL_WORDS } from '../../domain/words.ts'
import type { Embedder } from '../models.ts'

// A pocket thesaurus: the everyday words of some fifty subjects, from general knowledge. Two messages without
// a common word can still share a subject ("rain" and "forecast"); a model would know that, and this is the
// substitute without one. English only: other languages are compared by their words alone.

const SUBJECTS: Readonly<Record<string, string>> = {
  weather: `weather forecast temperature rain rainy raining sun sunny snow snowing storm stormy wind windy cloud
     cloudy fog foggy humid humidity hot cold warm cool frost hail drizzle degree celsius fahrenheit
     climate umbrella thunder lightning blizzard mist misty dry overcast`,
  lodging: `hotel hostel guesthouse motel inn room suite lodge lodging accommodation stay night bed breakfast
     airbnb resort star checkin checkout guest wifi`,
  eating: `restaurant eat dine dining dinner lunch breakfast brunch cafe bistro pub bar menu table waiter
     cuisine food meal dish chinese italian indian french thai mexican japanese korean vegetarian
     vegan pizza pasta sushi burger steak curry serve taste hungry takeaway`,
  cooking: `cook cooking bake baking recipe oven kitchen boil fry grill ingredient dough flour sugar salt pepper
     sauce soup cake bread cookie cheese egg butter spice chef`,
  drink: 'drink coffee tea beer wine juice soda cocktail whiskey milk',
  rail: `train railway rail station platform depart departure arrive arrival ticket travel journey carriage
     commute leave`,
  road: `car drive driver driving taxi cab truck vehicle traffic road highway park parking gas petrol fuel
     engine tire mechanic motorcycle bike bicycle bus pickup`,
  flight: 'flight fly plane airport airline boarding luggage passport visa aircraft pilot',
  navigation: `address direction route map near nearest nearby distance mile kilometer location gps navigate street
     avenue road close closest far way quickest`,
  sights: `museum gallery theatre theater attraction park zoo castle church college architecture entertainment
     tourist sightseeing visit entrance exhibition nightclub cinema pool`,
  travel: `trip vacation holiday tour travel abroad country beach island cruise hike hiking camping mountain
     itinerary`,
  calendar: `meeting schedule appointment calendar reminder remind agenda event conference date dinner birthday
     picnic invite attend attendee`,
  medicine: `doctor hospital nurse clinic dentist medicine pill pharmacy pharmacist ill sick disease pain surgery
     health patient symptom fever therapy therapist blood cancer heart vaccine allergy allergic
     injury`,
  police: `police crime thief robbery steal stolen robbed officer court law lawyer judge jail prison legal
     contract`,
  shopping: `shop shopping store mall buy sell purchase price discount customer supermarket grocery brand order
     delivery refund sale cart`,
  money: `money bank account loan mortgage credit debit salary pay rich poor budget invest investment stock
     dollar euro tax savings debt insurance income`,
  work: `job work career boss office company employee employer manager coworker colleague business profession
     hire hired fired retire retired retirement industry living interview resume wage`,
  school: `school college university student teacher class course study grade exam degree homework graduate
     professor education learn teach campus`,
  family: `family mother mom dad father parent sister brother son daughter kid child children baby wife husband
     grandmother grandfather aunt uncle cousin marry married wedding divorce twin sibling pregnant`,
  friends: `friend boyfriend girlfriend single dating date relationship love romance lonely roommate neighbor`,
  pets: 'pet dog cat puppy kitten bird fish rabbit bunny hamster turtle parrot leash vet veterinarian',
  animals: `animal horse cow pig chicken farm sheep goat wild bear wolf lion elephant zoo snake insect bee ranch`,
  music: `music song band sing singer guitar piano drum violin concert album rock jazz pop rap country metal
     melody instrument listen musician dance dancing choir`,
  film: `movie film watch tv television show series netflix actor actress director cinema episode theater
     hollywood comedy horror marvel anime cartoon`,
  books: `book read reading novel author writer library story poem poetry chapter fiction magazine literature`,
  games: 'game gaming video play xbox playstation nintendo chess puzzle console gamer board card',
  sports: `sport soccer football basketball baseball hockey tennis golf team coach score league match player
     ball olympics medal athlete championship softball cricket`,
  fitness: `gym exercise workout run running jog marathon yoga swim swimming lift weight muscle fit treadmill
     diet healthy walk training fitness`,
  art: `art paint painting draw drawing artist sculpture photography photo photograph camera craft sketch
     museum`,
  clothes: `clothes clothing shirt dress shoe hat jacket jeans fashion wear wearing style sock sweater makeup
     hair jewelry`,
  home: `house home apartment room kitchen bedroom furniture rent roof garden yard move neighborhood couch
     landlord paint repair cleaning clean laundry`,
  plants: 'garden gardening plant flower tree grow vegetable seed soil lawn rose',
  religion: 'church god religion pray prayer faith bible christian muslim jewish priest',
  army: 'army military navy soldier war veteran marine uniform gun weapon',
  nature: `ocean sea beach lake river forest mountain sand surf surfing outdoors sun nature fish fishing boat
     sail`,
  seasons: 'season winter summer spring autumn fall',
  languages: 'language english spanish french german speak translate translation grammar accent word',
  programming: `code program programming programmer function bug compile compiler software developer api library
     class variable loop javascript typescript python java rust test debug repository git commit
     deploy server framework type error exception`,
  database: 'database sql query table column row index join postgres sqlite mysql schema record select',
  web: 'website web page browser html css react frontend url link internet online site',
  computers: `computer laptop phone screen keyboard app windows mac linux install download file folder password
     wifi network printer update`,
  data: `data chart graph report spreadsheet excel revenue sales quarter customer region metric dashboard
     analysis`,
  writing: 'write writing essay email letter paragraph draft article blog edit summary summarize text',
  ai: 'model ai machine neural training token prompt embedding chatbot llm',
  science: `science physics chemistry biology space planet star universe experiment atom energy scientist
     research theory`,
  politics: 'president government election vote politics policy minister law party senate congress',
  news: 'news newspaper headline article press journalist',
}

/** The subjects of a stemmed word: mostly none, rarely more than two. */
export function subjectsOf(stem: string): readonly string[] {
  index ??= indexByStem()
  return index.get(stem) ?? NONE
}

const NONE: readonly string[] = []
/** Built on the first lookup, so that opening a memory does not wait for it. */
let index: ReadonlyMap<string, readonly string[]> | undefined

function indexByStem(): Map<string, string[]> {
  const subjects = new Map<string, string[]>()
  for (const [subject, words] of Object.entries(SUBJECTS)) {
    for (const stem of new Set(words.split(/\s+/).map(stemWord))) {
      subjects.set(stem, [...(subjects.get(stem) ?? []), subject])
    }
  }
  return subjects
}

/**
 * Cuts common English endings, so that "trains", "training" and "trained" match. The stem need not be right,
 * only the same for all forms of a word; words of other languages lose at most an ending.
 */
export function stemWord(word: string): string {
  if (word.length < 4) return word
  let stem = cutPlural(word)
  if (stem.length > 5 && stem.endsWith('ing')) stem = stem.slice(0, -3)
  else if (stem.length > 4 && stem.endsWith('ed')) stem = stem.slice(0, -2)
  if (stem.length > 3 && stem.endsWith('e')) stem = stem.slice(0, -1)
  return stem.length > 3 && stem.at(-1) === stem.at(-2) ? stem.slice(0, -1) : stem
}

function cutPlural(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

// An embedder without a model, a download or a language: it compares words, not meaning.
//
// A text becomes its folded words. Each word is cut to its stem and adds three kinds of features: the stem
// itself; the stem's character 4-grams, so that forms and compounds the stemmer does not know still match
// ("Zugfahrt", "Zug fahren"); and the subjects that the pocket thesaurus lists it under. Every feature is
// hashed to one of the dimensions with a sign of + or −, so that collisions cancel out on average. A word that
// occurs n times counts 1 + ln n; stop words do not count, common words and numbers little. The vector is
// normalized to unit length, so that the cosine is a plain dot product.
//
// The hash is 32-bit integer arithmetic and the sums run in the order of the text: the same text gives the
// same vector on every machine. Any change to the algorithm changes the name.

const DIMENSIONS = 256
const PIECE = 4
/** All n-grams of a word together weigh about a third of the word. */
const PIECES_WEIGHT = 0.3
const COMMON_WEIGHT = 0.2
/** "19:30" distinguishes two requests, not two subjects. */
const NUMBER_WEIGHT = 0.3
/** A pasted book states its subject in its first pages. */
const READ_CHARACTERS = 20_000

export const builtInEmbedder: Embedder = Object.freeze({
  name: 'built-in/1',
  dimensions: DIMENSIONS,
  // Similarity to the messages before, same topic: quartiles 0.14, 0.30, 0.45; different topics: 0, 0.02,
  // 0.08.
  sameTopicSimilarity: 0.2,
  unrelatedSimilarity: 0,
  embed: async (texts: readonly string[]) => texts.map(embedText),
})

interface Term {
  readonly weight: number
  readonly isCommon: boolean
  count: number
}

function embedText(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  const subjects = new Map<string, number>()
  for (const [stem, term] of countTerms(text)) {
    const weight = term.weight * (1 + Math.log(term.count))
    addFeature(vector, hashOf(WORD, stem), weight)
    addPieces(vector, stem, weight)
    if (!term.isCommon) countSubjects(subjects, stem)
  }
  for (const [subject, count] of subjects) addFeature(vector, hashOf(SUBJECT, subject), Math.sqrt(count))
  return toUnitLength(vector)
}

function countTerms(text: string): Map<string, Term> {
  const terms = new Map<string, Term>()
  for (const word of listWords(text.slice(0, READ_CHARACTERS))) {
    if (SMALL_WORDS.has(word)) continue
    const stem = stemWord(word)
    const term = terms.get(stem)
    if (term === undefined) terms.set(stem, toTerm(word))
    else term.count++
  }
  return terms
}

function toTerm(word: string): Term {
  const isCommon = COMMON_WORDS.has(word)
  const weight = isNumber(word) ? NUMBER_WEIGHT : 1
  return { weight: isCommon ? COMMON_WEIGHT : weight, isCommon, count: 1 }
}

function addPieces(vector: Float32Array, stem: string, weight: number): void {
  if (stem.length < PIECE) return
  const bounded = `<${stem}>`
  const pieces = bounded.length - PIECE + 1
  const share = (weight * PIECES_WEIGHT) / Math.sqrt(pieces)
  for (let i = 0; i < pieces; i++) addFeature(vector, hashOfPiece(bounded, i), share)
}

function countSubjects(subjects: Map<string, number>, stem: string): void {
  const found = subjectsOf(stem)
  for (const subject of found) subjects.set(subject, (subjects.get(subject) ?? 0) + 1 / found.length)
}

function addFeature(vector: Float32Array, hash: number, weight: number): void {
  const dimension = hash % DIMENSIONS
  vector[dimension] = (vector[dimension] as number) + (hash & 0x80000000 ? -weight : weight)
}

// FNV-1a with a final mix: plain FNV-1a spreads short strings badly over its low bits. Words and subjects
// have different prefix letters.
const START = 0x811c9dc5
const WORD = hashOn(START, 'w'.charCodeAt(0))
const SUBJECT = hashOn(START, 's'.charCodeAt(0))

function hashOf(start: number, text: string): number {
  let hash = start
  for (let i = 0; i < text.length; i++) hash = hashOn(hash, text.charCodeAt(i))
  return mix(hash)
}

function hashOfPiece(text: string, from: number): number {
  let hash = START
  for (let i = from; i < from + PIECE; i++) hash = hashOn(hash, text.charCodeAt(i))
  return mix(hash)
}

function hashOn(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}

function mix(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (mixed ^ (mixed >>> 12)) >>> 0
}

function toUnitLength(vector: Float32Array): Float32Array {
  let sum = 0
  for (let i = 0; i < DIMENSIONS; i++) sum += (vector[i] as number) * (vector[i] as number)
  const length = Math.sqrt(sum)
  if (length > 0) for (let i = 0; i < DIMENSIONS; i++) vector[i] = (vector[i] as number) / length
  return vector
}
