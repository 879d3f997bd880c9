import { multilineRegExp } from '../../../domain/multiline-regexp.ts'
import { anOrganisation, aPlace, aThing } from '../text/read-value.ts'
import { wordList } from '../text/word-list.ts'
import type { Pattern } from './pattern.ts'

// Home, work and studies.

const JOB_END = /(?:ist|ian|eer|ician|grapher|logist|lawyer|analyst|man|woman|or|er|ant|ent)$/i
const JOBS = wordList(
  `nurse chef ceo cto cfo coo vp intern coach student freelancer barista judge pilot cook midwife clerk surgeon postdoc
   researcher athlete model guard firefighter paramedic vet dev programmer captain lead head professor sheriff monk
   priest pastor rabbi imam tutor au-pair nanny agent guide host concierge apprentice entrepreneur founder co-founder`,
)
const NOT_JOBS = wordList(
  `beginner winner lover fighter member gamer believer owner runner supporter sucker dreamer reader learner newcomer
   listener hoarder starter father mother brother sister grandmother grandfather survivor visitor loser player
   outsider insider user customer helper sleeper eater drinker thinker doer overthinker perfectionist fan person mess
   bit newer former other better number monster danger stranger speaker teenager parent patient human foreigner
   adventurer follower partner optimist pessimist realist minimalist humanitarian vegetarian libertarian christian
   ancestor procrastinator introvert extrovert night morning quick slow late hater spender saver performer client
   different aunt giant instant constant important participant minor major senior junior competitor sponsor donor
   leader volunteer finisher candidate customer woman man veteran reporter hiker traveler traveller explorer collector tourist guest organizer`,
)

/** A job after "I'm a …": its last word is a known job or has the ending of one. */
function aJob(rest: string): readonly string[] {
  const phrase =
    /^(?:[\w/&+-]+ ){0,4}?[\w/&+-]+(?=$|[,.!;)(]| (?:and|at|for|in|from|with|by|but|who|so|I|we|it|working|based|on|of|since|specializing|specialising|now|here|myself|living|making|earning|trying|looking|to)\b)/i.exec(
      rest,
    )?.[0]
  if (phrase === undefined) return []
  const words = phrase.replace(/^\d+-year-old /i, '').split(' ')
  const head = words.at(-1)?.toLowerCase().split('/').at(-1) ?? ''
  const isJob = JOBS.has(head) || (JOB_END.test(head) && head.length > 4 && !NOT_JOBS.has(head))
  const isClaim = words.every(
    (word) =>
      !/^(?:big|huge|bit|little|total|great|good|better|terrible|bad|natural|real|true|such|very|lot|night|fast|slow|quick|heavy|light|proud|former|aspiring|wannabe|would-be|not|more|like)$/i.test(
        word,
      ),
  )
  return isJob && isClaim ? [words.join(' ')] : []
}

const studyOf = (rest: string): readonly string[] => {
  const subject = aThing(rest.replace(/ (?:at|in my|for (?:my|a|the)|from|on)\b.*$/i, ''))
  return subject.filter((thing) => thing.split(' ').length <= 5)
}

const place = (rest: string): readonly string[] =>
  aPlace(rest.replace(/^(?:downtown|central|northern|southern|eastern|western|beautiful|sunny|rainy) /i, ''))

export const LIVING_PATTERNS: readonly Pattern[] = [
  {
    cue: /^(?:am|is) employed by (?=(?:the )?\p{Lu})/u,
    attribute: 'employer',
    value: anOrganisation,
    denial: 'end',
  },
  {
    cue: /^(?:am|is|have been) an? ([\w/& -]{3,40}?) at (?=(?:the )?\p{Lu})/u,
    attribute: 'employer',
    value: (rest, found) =>
      aJob(found[1] ?? '').length > 0 && !/student$/.test(found[1] ?? '') ? anOrganisation(rest) : [],
  },
  {
    cue: multilineRegExp('u')`
      ^(?:works?|am working|is working|have worked|have been working) (?:at|
      for) (?:the )?\p{Lu}[\p{L}&' -]{1,30}? as an? `,
    attribute: 'job',
    value: aJobTitle,
  },
  {
    cue: multilineRegExp('i')`
      ^(?:live|lives|reside|resides|am living|is living|are living|have lived|has lived|have been living|
      has been living|am based|is based|are based|based|am located|
      am staying permanently) (?:\w+ \w+ away )?(?:with my \w+ )?(?:together )?(?:here )?in (?:the city of )?`,
    attribute: 'home',
    value: place,
    denial: 'end',
    confidence: 0.9,
  },
  {
    cue: multilineRegExp('i')`
      ^(?:have |has )?(?:just |recently )?(?:moved|relocated|settled) (?:back |down |out |over |
      here )?(?:from [^,.]{2,40}? )?(?:to|in) (?=[A-Z]|[a-z])`,
    attribute: 'home',
    value: place,
    confidence: 0.85,
  },
  {
    cue: multilineRegExp('i')`
      ^(?:have |has )?(?:just |recently )?(?:moved|relocated) (?:here |over |
      away )?(?:to [^,.]{2,40}? )?from (?:my home country,? )?`,
    attribute: 'former home',
    value: place,
    confidence: 0.85,
  },
  {
    cue: /^(?:used to live|lived|was living|were living|have previously lived) in /i,
    attribute: 'former home',
    value: place,
    confidence: 0.8,
  },
  {
    cue: multilineRegExp('u')`
      ^(?:(?:do |does )?works?|am working|is working|have worked|has worked|have been working|
      has been working|am employed|is employed) (?:as an? [\w /-]{3,40}? )?(?:full[- ]time |part[- ]time |
      remotely )?(?:at|for) (?=(?:the |a startup called |a company called )?\p{Lu})`,
    attribute: 'employer',
    value: anOrganisation,
    denial: 'end',
    confidence: 0.85,
  },
  {
    cue: multilineRegExp('u')`
      ^(?:have |has )?(?:just |recently )?(?:joined|started (?:working |a (?:new )?job |work |
      my (?:new )?job )?at|got a job at|got hired (?:at|by)|landed a job at|accepted an? (?:job|offer|
      position) (?:at|from)) (?=(?:the )?\p{Lu})`,
    attribute: 'employer',
    value: employerJoined,
    confidence: 0.75,
  },
  {
    cue: multilineRegExp('u')`
      ^(?:have |has )?(?:just |recently )?(?:left|quit|resigned from|got fired from|got laid off from|
      was laid off from|retired from) (?:my job at |my position at )?(?=(?:the )?\p{Lu})`,
    attribute: 'employer',
    value: employerLeft,
    ends: true,
  },
  {
    cue: /^(?:used to work|worked|was working) (?:at|for) (?=(?:the )?\p{Lu})/u,
    attribute: 'former employer',
    value: anOrganisation,
    confidence: 0.8,
  },
  {
    cue: multilineRegExp('i')`
      ^(?:do |does )?(?:works?|am working|is working|have worked|have been working|am employed) as (?:an? |
      the )`,
    attribute: 'job',
    value: aJobTitle,
    denial: 'end',
  },
  {
    cue: /^(?:am|is|have been|has been) (?:actually )?(?:an?|the) (?=\w)/i,
    attribute: 'job',
    value: aJob,
    denial: 'end',
    confidence: 0.8,
  },
  {
    cue: multilineRegExp('i')`
      ^(?:got|was|have been|has been|just got|recently got|got just) promoted to (?:the )?(?:position of |
      role of )?`,
    attribute: 'job',
    value: (rest) => aJob(rest.replace(/^(?:an?|the) /, '')),
  },
  {
    cue: multilineRegExp('i')`
      ^(?:am|is|have been|has been) (?:studying|majoring in|doing (?:a|my) (?:phd|ph\.d\.|master's|masters|
      bachelor's|degree) in|getting (?:a|my) (?:phd|master's|masters|degree) in) `,
    attribute: 'studies',
    value: studyOf,
    confidence: 0.8,
  },
  { cue: /^(?:study|studies|major in|majors in) /i, attribute: 'studies', value: studyOf, confidence: 0.75 },
  {
    cue: multilineRegExp('u')`
      ^(?:study|studies|am studying|is studying|go to school|goes to school|am enrolled|am a student|
      is a student|am a (?:freshman|sophomore|junior|senior)) (?:[\w ]{2,30} )?at (?=(?:the )?\p{Lu})`,
    attribute: 'school',
    value: anOrganisation,
  },
  {
    cue: /^(?:have |has )?graduated from (?=(?:the )?\p{Lu})/u,
    attribute: 'school',
    value: anOrganisation,
    ends: true,
  },
  { cue: /^(?:am|is|have|has) (?:now |recently )?retired\b/i, attribute: 'job', value: 'retired' },
  {
    of: 'self',
    cue: /^(?:have )?(?:just |recently )?(?:lost|quit|left) my job\b(?! at (?:the )?\p{Lu})/u,
    attribute: 'employer',
    value: '',
    ends: true,
  },
  {
    of: 'self',
    cue: /^(?:have )?(?:just |recently )?(?:lost|quit|left) my job\b/i,
    attribute: 'job',
    value: '',
    ends: true,
  },
  {
    of: 'self',
    cue: /^(?:have )?(?:just |recently )?lost my job at (?=(?:the )?\p{Lu})/u,
    attribute: 'employer',
    value: anOrganisation,
    ends: true,
  },
  {
    of: 'self',
    cue: /^(?:have |am )?(?:just |recently )?retired\b(?! from)/i,
    attribute: 'employer',
    value: '',
    ends: true,
  },
]

// "I left Chrome open" is not about a job.
function employerLeft(rest: string): readonly string[] {
  return anOrganisation(rest).filter((name) =>
    /^(?:the )?$|^[,.;!]|^ (?:in|last|after|for|because|to|two|three|a|and|this|on|since|when|yesterday|today)\b/.test(
      rest.slice(rest.indexOf(name) + name.length),
    ),
  )
}

function employerJoined(rest: string): readonly string[] {
  const name = anOrganisation(rest)
  return /\b(?:association|club|gym|group|church|society|community|class|team|league|discord|meetup)\b/i.test(
    rest.slice(0, 60),
  )
    ? []
    : name
}

function aJobTitle(rest: string): readonly string[] {
  const title =
    /^(?:[\w/&+-]+ ){0,5}?[\w/&+-]+(?=$|[,.!;)(]| (?:and|at|for|in|from|with|but|who|so|on|since|to)\b)/i.exec(
      rest,
    )?.[0]
  return title === undefined || /^(?:team|result|way|unit|whole|hobby|part|group|whole|side)\b/i.test(title)
    ? []
    : [title]
}

const AS_A = multilineRegExp('i')`
    \bmy (?:work|career|job|role|position|day job) as an? |^As an? (?=[\w/ -]{3,40}, I(?:'m|'ve)? (?!want|
    need|can|should|would|must)\b)`
const HOMELAND = /\bmy (?:home ?country|home ?town|native country)(?:,| of| is| was) (?=\p{Lu})/iu

/** Work and origin that are mentioned in passing: "my career as a producer", "my home country, Sweden". */
export function readBackground(sentence: string): readonly (readonly [attribute: string, value: string])[] {
  const [work, land] = [AS_A.exec(sentence), HOMELAND.exec(sentence)]
  const job = work === null ? [] : aJob(sentence.slice(work.index + work[0].length))
  const origin =
    land === null
      ? []
      : aPlace(sentence.slice(land.index + land[0].length)).map((one) => one.replace(/,.*/, ''))
  return [...job.map((one) => ['job', one] as const), ...origin.map((one) => ['origin', one] as const)]
}

/** "My job is …", "my employer is …", "our home is in …", "my major is …". */
export function readOwnSituation(
  thing: string,
  predicate: string,
): readonly [attribute: string, value: string] | undefined {
  const said = /^is (?:now )?(?:in |at |as )?(?:an? |the )?/i.exec(predicate)
  const rest = said === null ? '' : predicate.slice(said[0].length)
  const [attribute, value] = situation(thing, rest)
  return value === undefined || said === null ? undefined : [attribute, value]
}

function situation(thing: string, rest: string): readonly [string, string | undefined] {
  if (/^(?:job|occupation|profession|day job|job title)$/.test(thing))
    return ['job', aJobTitle(rest).filter((title) => aJob(title).length > 0)[0]]
  if (/^(?:employer|company)$/.test(thing)) return ['employer', anOrganisation(rest)[0]]
  if (/^(?:hometown|home town|home country|native country)$/.test(thing)) return ['origin', aPlace(rest)[0]]
  if (/^(?:home|city|current city)$/.test(thing)) return ['home', aPlace(rest)[0]]
  if (/^(?:major|degree)$/.test(thing)) return ['studies', studyOf(rest)[0]]
  return ['', undefined]
}
