// The index holds words as written, and a question may use other forms of them. English endings are removed and added
// again: "painted" also searches for paint, paints and painting. Forms that do not exist cost a lookup that finds
// nothing. Words of other languages and scripts are searched for unchanged.

/** Irregular verbs and nouns. */
const IRREGULAR =
  `go went gone goes going|buy bought|eat ate eaten|give gave given|take took taken|make made|see saw seen
  get got gotten|write wrote written|run ran|begin began begun|speak spoke spoken|teach taught|think thought
  bring brought|feel felt|find found|keep kept|leave left|lose lost|meet met|pay paid|say said|sell sold|send sent
  spend spent|stand stood|tell told|win won|wear wore worn|child children|man men|woman women|person people|foot feet
  tooth teeth|mouse mice|life lives|wife wives|knife knives|know knew known|grow grew grown|draw drew drawn
  drive drove driven|ride rode ridden|choose chose chosen|break broke broken|fall fell fallen|fly flew flown
  hold held|hear heard|come came|become became|build built|catch caught|fight fought|sing sang sung|swim swam swum
  sit sat|sleep slept|understand understood|shoot shot|steal stole stolen|throw threw thrown|wake woke woken
  lead led|hang hung hanged|show showed shown|drink drank drunk|freeze froze frozen|hide hid hidden|rise rose risen
  die dies died dying|lie lies lied lying|tie ties tied tying|forget forgot forgotten|forgive forgave forgiven|feed fed|lend lent
  shake shook shaken|sink sank sunk|stick stuck|strike struck|swear swore sworn|sweep swept|tear tore torn
  bite bit bitten|blow blew blown|mean meant|deal dealt|dig dug|ring rang rung|seek sought|spin spun|bend bent
  burn burned burnt|dream dreamed dreamt|learn learned learnt|light lit lighted|half halves|shelf shelves`
    .split(/[|\n]/)
    .map((line) => line.trim().split(' '))

const IRREGULAR_FORMS: ReadonlyMap<string, readonly string[]> = new Map(
  IRREGULAR.flatMap((forms) => forms.map((form) => [form, forms])),
)

const PLAIN = /^[a-z]{3,24}$/

/** A word with its inflected forms, itself first. */
export function formsOf(word: string): readonly string[] {
  const irregular = IRREGULAR_FORMS.get(word)
  if (irregular !== undefined) return [...new Set([word, ...irregular, ...inflectIrregular(irregular)])]
  if (!PLAIN.test(word)) return [word]
  return [...new Set([word, ...basesOf(word).flatMap(inflectBase)])]
}

/** "running" is a form of "run", and so of "ran". */
function inflectBase(base: string): readonly string[] {
  const irregular = IRREGULAR_FORMS.get(base)
  return irregular?.[0] === base ? [...irregular, ...inflectIrregular(irregular)] : inflect(base)
}

/** They have their own past: "seed" is no form of "see". */
function inflectIrregular(forms: readonly string[]): readonly string[] {
  const [base = ''] = forms
  return inflect(base).filter((form) => !form.endsWith('d') || forms.includes(form))
}

/** What the word may be without its ending. */
function basesOf(word: string): readonly string[] {
  const bases = [word]
  const cut = (ending: string, ...instead: readonly string[]) => {
    const stem = word.slice(0, -ending.length)
    const least = ending.startsWith('ie') ? 2 : 3
    if (word.endsWith(ending) && stem.length >= least) bases.push(...instead.map((letters) => stem + letters))
  }
  if (word.endsWith('ies')) cut('ies', 'y', 'ie')
  else if (!word.endsWith('ss')) cut('s', '')
  if (word.endsWith('es')) cut('es', '')
  if (word.endsWith('ied')) cut('ied', 'y', 'ie')
  else cut('ed', '', 'e')
  cut('ing', '', 'e')
  return bases.flatMap((base) => (DOUBLED.test(base) && base !== word ? [base, base.slice(0, -1)] : [base]))
}

const DOUBLED = /([bdgklmnprt])\1$/
/** A short vowel before one consonant: plan, planned. */
const DOUBLES = /[^aeiou][aeiou][bdgklmnprt]$/

function inflect(base: string): readonly string[] {
  const forms = [base, `${base}s`]
  if (/[sxzo]$|[cs]h$/.test(base)) forms.push(`${base}es`)
  if (/[^aeiou]y$/.test(base)) forms.push(`${base.slice(0, -1)}ies`, `${base.slice(0, -1)}ied`, `${base}ing`)
  else if (/[eoy]e$/.test(base)) forms.push(`${base}d`, `${base}ing`)
  else if (base.endsWith('e')) forms.push(`${base}d`, `${base.slice(0, -1)}ing`)
  else forms.push(`${base}ed`, `${base}ing`)
  if (DOUBLES.test(base)) forms.push(`${base}${base.at(-1)}ed`, `${base}${base.at(-1)}ing`)
  return forms
}

const SUFFIXES = [
  'ation',
  'ion',
  'ment',
  'er',
  'or',
  'ist',
  'ness',
  'ly',
  'al',
  'ive',
  'ance',
  'ence',
  'ity',
  'able',
  'ful',
]
const ENDINGS = [...SUFFIXES, 'ing', 'ed', 'es', 's', 'e', ''].sort((one, other) => other.length - one.length)
const SHORTEST_ROOT = 4

/** Words built on the same root: "adopt" for "adoption", "participant" not. */
export function relativesOf(word: string): readonly string[] {
  if (!PLAIN.test(word)) return []
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= SHORTEST_ROOT)
  if (ending === undefined) return []
  const root = word.slice(0, word.length - ending.length)
  const forms = [
    '',
    'e',
    's',
    'es',
    'ed',
    'ing',
    ...SUFFIXES,
    'ers',
    'ors',
    'ists',
    'ions',
    'ations',
    'ments',
  ]
  return forms.map((form) => root + form)
}
