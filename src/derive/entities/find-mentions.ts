// Names in a text. A capital in the middle of a sentence makes a name. At the start of a sentence it proves
// nothing, so such a word counts only if it is known, is capitalised elsewhere in the text, or has a cue. The
// type follows from cues around the name: "my friend Tom", "at Stripe", "in Lisbon", "Inc.", a version number.
// Addresses, files and dates are found by their form.

import { writeSpan } from '../../domain/dates/date-span.ts'
import { type Moment, readDates } from '../../domain/dates/read-dates.ts'
import type { EntityType } from '../../domain/entity.ts'
import { multilineRegExp } from '../../domain/multiline-regexp.ts'
import { matchAll } from '../../domain/words.ts'
import { PERSON_WORDS } from '../facts/text/relations.ts'
import { wordList } from '../facts/text/word-list.ts'
import { isPlace } from './places.ts'

/** One occurrence of a name in a text. */
export interface EntityMention {
  readonly name: string
  readonly type: EntityType
}

const URL_FORM = /\bhttps?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?]/g
const EMAIL_FORM = /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/g
const FILE_FORM = multilineRegExp('g')`
    (?<![\w/@])(?:[\w@~.-]+/)*[\w@-][\w@.-]*\.(?:tsx?|jsx?|mjs|cjs|py|rb|go|rs|java|kt|swift|c|h|cpp|cs|php|
    html?|s?css|json|ya?ml|toml|md|mdx|txt|csv|tsv|xlsx?|docx?|pptx?|pdf|png|jpe?g|gif|svg|sql|sh|ipynb|log|
    zip|db|env|lock|ini|cfg|conf|xml)\b(?![\w/])`
const CODE = /```[\s\S]*?(?:```|$)/g
const CAPTION = /\[[^\]\n]{0,300}\]/g
const NAME_RUN = multilineRegExp('gu')`
    (?:(?:Mr|Mrs|Ms|Dr|Prof|St)\. )?(?:\p{Lu}[\p{L}\p{M}\p{N}&+#-]*(?:['.]\p{L}{2,})*|
    \p{Ll}+\p{Lu}\p{L}*)(?:(?: (?:of|of the|de|da|do|van|von|der|la|le|
    &) | )(?:\p{Lu}[\p{L}\p{M}\p{N}&+#-]*(?:['.]\p{L}{2,})*))*`
const MARKUP = /^[ \t]*#{1,6}[ \t].*$|\*\*[^*\n]*\*\*|`[^`\n]*`|^[ \t]*[-*•\d.]+[ \t]+[^:\n]{1,60}:/gm
const HAS_MARKUP = /[#*`:[]/
/** Replaces text that was cut out. ASCII only: without wider characters, the expressions here run ten times as fast. */
const GAP = ' | '
const BEGINS = /(?:^|[.!?…:;\n"“(>*•|-]\s*|\n\s*\d+\.\s*)$/

const NO_NAMES = wordList(
  `i i'm i've i'll i'd the a an and or but so if when then what how why who where which this that these those it it's he
   she they we you my our your his her their its is are was were do does did can could would will should have has had
   not no yes yeah yep ok okay hey hi hello thanks thank please sorry oh wow well also maybe just let let's here there
   january february march april may june july august september october november december monday tuesday wednesday
   thursday friday saturday sunday mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec am pm
   mr mrs ms dr prof christmas easter thanksgiving god lol omg btw fyi asap tv ok pm id ids faq etc q&a usd eur gbp
   great good nice cool awesome congrats congratulations absolutely definitely sure exactly right got glad good
   mondays tuesdays wednesdays thursdays fridays saturdays sundays english french german spanish portuguese italian dutch
   danish swedish norwegian polish greek turkish russian arabic hindi chinese mandarin japanese korean irish american british
   european canadian mexican indian bye goodbye cheers dear by bet tues thurs weds aw aww ah haha during while since after before once because although wish did how's what's it'd
   today tomorrow yesterday tonight now never always one two three first second last next some any all many most`,
)
const ORGANISATION_END = multilineRegExp('')`
    \b(?:Inc|Ltd|LLC|GmbH|AG|Corp|Co|Company|Corporation|University|College|School|Institute|Bank|Labs?|
    Studios?|Group|Foundation|Association|Agency|Hospital|Clinic|Church|Club|Society|Committee|Council|
    Ministry|Museum|Library|Press|Airlines|FC)\.?$`
const PLACE_END = multilineRegExp('')`
    \b(?:Street|St|Road|Rd|Avenue|Ave|Square|Park|Beach|Bay|Island|City|Town|Village|Lake|River|Mountains?|
    Valley|Bridge|Airport|Station|Harbou?r|Gardens?|Resort|Hotel|Caf[eé]|Restaurant|Centre|Center|Hall|
    Theatre|Stadium|Coast)$`
const PERSON_BEFORE = new RegExp(
  `(?:\\b(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Aa]) (?:\\w+ ){0,2}(?:${PERSON_WORDS}|friends|kids|sons|daughters|sisters|brothers|colleagues),? |\\b(?:Mr|Mrs|Ms|Dr|Prof)\\.? |\\b(?:named|called me|[Hh]i|[Hh]ey|[Dd]ear|[Tt]hanks|[Mm]et with|told|asked|married to|attorney|[Pp]rofessor),? )$`,
)
const PERSON_AFTER =
  /^(?:,? (?:who|said|says|told|thinks|suggested|recommended|agreed|asked|invited|is my|was my)\b|, \d{2},)/
const ORGANISATION_BEFORE = multilineRegExp('i')`
    \b(?:work(?:s|ed|ing)?|job|intern(?:ed|ing|ship)?|employed|position|role|hired|offer|interview) (?:at|
    for|by|with|from) (?:the )?$`
const PLACE_BEFORE = multilineRegExp('i')`
    \b(?:live[sd]?|living|moved?|moving|fly(?:ing)?|flew|travel(?:l?ed|l?ing)?|trip|based|born|grew up|
    vacation|holiday|visit(?:ed|ing)?|went|going|drive|drove|arrived?|headed|heading|stay(?:ed|ing)?|back|
    flight) (?:\w+ ){0,2}?(?:in|to|from|near|at|around|through)? ?(?:the )?$`
const PRODUCT_BEFORE = multilineRegExp('i')`
    \b(?:us(?:e|es|ed|ing)|install(?:ed|ing)?|with the|via|switch(?:ed|ing)? to|upgrade[d]? to|bought an?|
    got an?|download(?:ed|ing)?|on my|running|app|tool|library|framework|software|game|like) $`

/** The names in a text. `isKnown` returns true for names that were seen before. */
export function findMentions(text: string, isKnown: (name: string) => boolean, now?: Date): EntityMention[] {
  const mentions: EntityMention[] = []
  const prose = text.includes('```') ? text.replace(CODE, '\n') : text
  const rest = withoutMarkup(takeForms(prose.replaceAll('’', "'"), mentions))
  mentions.push(...findNames(rest, isKnown))
  if (now !== undefined) mentions.push(...findDates(rest, { now, lean: 'future' }))
  return mentions
}

function withoutMarkup(text: string): string {
  return HAS_MARKUP.test(text) ? text.replace(MARKUP, GAP).replace(CAPTION, GAP) : text
}

function takeForms(text: string, mentions: EntityMention[]): string {
  if (!/[@/.]\w/.test(text)) return text
  const take = (type: EntityType) => (name: string) => {
    mentions.push({ name, type })
    return GAP
  }
  return text
    .replace(URL_FORM, take('url'))
    .replace(EMAIL_FORM, take('email'))
    .replace(FILE_FORM, take('file'))
}

function findDates(text: string, moment: Moment): EntityMention[] {
  return readDates(text, moment).map((span) => ({ name: writeSpan(span), type: 'date' }))
}

interface Run {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly isFirst: boolean
}

function findNames(text: string, isKnown: (name: string) => boolean): EntityMention[] {
  const runs = matchAll(text, NAME_RUN).map((found) => trimRun(text, found[0], found.index))
  const inside = new Set(runs.filter(({ isFirst }) => !isFirst).map(({ name }) => name))
  const isSeen = (name: string): boolean => inside.has(name) || isKnown(name)
  const mentions: EntityMention[] = []
  for (const run of runs.map((one) => dropOpening(one, isSeen))) {
    if (!isName(run.name)) continue
    const type = typeOf(text, run)
    if (!run.name.includes(' ') && text.slice(run.start - 3, run.start) === "'s ") continue
    const isCertain = !run.isFirst || type !== 'other' || run.name.includes(' ') || isSeen(run.name)
    if (isCertain) mentions.push({ name: run.name, type })
  }
  return mentions
}

// "Bet Max will like it": if Max is known, "Bet" is not part of the name.
function dropOpening(run: Run, isSeen: (name: string) => boolean): Run {
  const rest = run.name.slice(run.name.indexOf(' ') + 1)
  if (!run.isFirst || rest === run.name || isSeen(run.name) || !isSeen(rest)) return run
  return { name: rest, start: run.end - rest.length, end: run.end, isFirst: false }
}

/** Drops small words from both ends. What follows a possessive is a different thing. */
function trimRun(text: string, found: string, index: number): Run {
  const isOpening = BEGINS.test(text.slice(Math.max(0, index - 6), index))
  const words = (found.includes("'") ? found.replace(/'s?\b.*$/u, '') : found).split(' ')
  let start = index
  while (words.length > 0 && isSmall(words[0] ?? '', isOpening && start === index && words.length > 1)) {
    start += (words.shift() ?? '').length + 1
  }
  while (words.length > 0 && isSmall(words.at(-1) ?? '', false)) words.pop()
  const name = words.length > 1 ? words.join(' ').replace(/ (?:of|of the|the|de|&)$/, '') : (words[0] ?? '')
  return { name, start, end: start + name.length, isFirst: isOpening && start === index }
}

// "Using Flask", "Reduced Version": a verb is capitalised too at the start of a sentence.
const isSmall = (word: string, isOpening: boolean): boolean =>
  NO_NAMES.has((word.endsWith('.') ? word.slice(0, -1) : word).toLowerCase()) ||
  (isOpening && /^\p{Lu}\p{Ll}+(?:ing|ed)$/u.test(word))

function isName(name: string): boolean {
  if (name.length < 2 || name.length > 60) return false
  const words = name.split(' ')
  // All-caps abbreviations are rarely names: API, PDF, ASAP.
  const isShout = /^[\p{Lu}\p{N}\s&/-]+$/u.test(name) && !isPlace(name)
  return (
    !isShout &&
    words.some((word) => /\p{L}/u.test(word) && !NO_NAMES.has(word.toLowerCase())) &&
    !/['’](?:m|ve|ll|re|d|t)$/iu.test(name)
  )
}

interface Surroundings {
  readonly name: string
  readonly before: string
  readonly after: string
}

// Checked in order: the name itself is stronger evidence than the text around it.
const TYPES: readonly (readonly [type: EntityType, isIt: (name: Surroundings) => boolean])[] = [
  ['organisation', ({ name }) => ORGANISATION_END.test(name)],
  ['place', ({ name }) => isPlace(name) || PLACE_END.test(name)],
  ['product', ({ name, after }) => CAMEL.test(name) || /^ v?\d+\.\d/.test(after)],
  ['person', ({ before, after }) => PERSON_BEFORE.test(before) || PERSON_AFTER.test(after)],
  ['person', ({ name }) => isGivenName(name.split(' ')[0] ?? '')],
  ['organisation', ({ before }) => ORGANISATION_BEFORE.test(before)],
  ['place', ({ before }) => PLACE_BEFORE.test(before) && PLACE_JOINT.test(before)],
  ['product', ({ before }) => PRODUCT_BEFORE.test(before)],
]
/** All cues before a name end in a letter, a comma or the period of "Dr.", "Mrs." or "Prof.", and a space. */
const MAY_END_WITH_CUE = /(?:[^\s.!?]|[rsf]\.) $/
const CAMEL = /(?<!\b(?:Mc|Mac|Le|De|La|O'))(?<=\p{Ll})\p{Lu}/u
const PLACE_JOINT = / (?:in|to|from|near|at|around|through|visit\w*) (?:the )?$/i

function typeOf(text: string, { name, start, end }: Run): EntityType {
  const before = text.slice(Math.max(0, start - 60), start)
  const after = text.slice(end, end + 20)
  const surroundings = { name, before: MAY_END_WITH_CUE.test(before.slice(-3)) ? before : '', after }
  return TYPES.find(([, isIt]) => isIt(surroundings))?.[0] ?? 'other'
}

// Given names that are common somewhere and rarely mean anything else. Enough to distinguish most people from
// things without another cue. "Mark", "Will" and "Grace" are left out because they are also words.

const GIVEN_NAMES = wordList(
  `aaron abdul abigail adam adrian agnes ahmed aisha alan albert alejandro alex alexander alexandra ali alice alicia
   alison amanda amelia amina amir amy ana anastasia andrea andreas andrew andy angela anita anja ann anna anne annika
   anthony antonio arjun arthur astrid barbara beatrice ben benjamin bernard beth bianca bjorn bob brandon brian
   bruno camila carla carlos carmen carol caroline catherine cecilia charles charlotte chen chloe chris christian
   christina christopher claire clara claudia colin craig crystal cynthia daniel daniela danielle darryl david deborah
   denise dennis derek diana diego dimitri dmitri dominic donald dorothy douglas edward eleanor elena elias elisabeth
   elizabeth ella ellen emily emma enrique eric erica erik ernesto esther ethan eva evan evelyn fatima felix fernando
   fiona florian francesca francesco francis francisco frederik gabriel gabriela gary george gerald giovanni giulia
   gloria greg gregory greta guillaume gustav hannah hans harold harriet harry hassan heather heidi helen helena henrik
   henry hiroshi hugo ian ibrahim igor ingrid irene isaac isabel isabella ivan jack jacob jacqueline james jamie jan
   jana jane janet jason javier jean jeffrey jennifer jeremy jessica jim joan joanna joe johan johanna johannes john
   jonas jonathan jorge jose joseph joshua josh juan judith julia julian juliana julie karen karim karin karl kate
   katharina katherine kathleen katie keith kelly kenji kenneth kevin khalid kimberly klaus kofi kristin kumar kyle
   lars laura lauren lea leila lena leo leonard leonardo liam lina linda lisa louis louise luca lucas lucia lucy luis
   lukas luke magnus malik manuel marco marcus margaret maria mariam marie marina mario markus marta martha martin
   mary mateo mathias matt matthew maureen maurice max maya megan mehmet mei melanie melissa mia michael michelle miguel
   mikhail miriam mohamed mohammed monica nadia natalia natalie natasha nathan neil nicholas nicolas nicole nikolai nina
   noah nora oleg olga oliver olivia omar oscar otto pablo pamela patricia patrick paul paula pedro peter philip
   philippe pierre priya rachel rafael rajesh ralph raquel raul ravi rebecca ricardo richard rob robert roberto robin
   roger ronald rosa ruth ryan sabine sally sam samantha samuel sandra sanjay sara sarah scott sean sebastian sergei
   sergio shannon sharon simon simone sofia sophia sophie stefan stella stephanie stephen steve steven stuart susan
   sven sylvia tamara tanya tatiana teresa theodore theresa thomas tim timothy tobias tom tomas tony tyler ursula
   valentina valerie vanessa vera veronica victor victoria viktor vincent virginia vivian vladimir walter wei wendy
   william wolfgang wyatt xavier yasmin yuki yusuf yvonne zainab zoe`,
)

/** Whether this word is a common given name. */
function isGivenName(word: string): boolean {
  return /^\p{Lu}/u.test(word) && GIVEN_NAMES.has(word.toLowerCase())
}
