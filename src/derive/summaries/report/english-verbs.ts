// The forms of English verbs that reported speech needs: "I go" becomes "Ana goes", "did you go" becomes "went".
// Irregular forms are listed; the rest follows from spelling. A list of common verbs distinguishes verbs from
// other words if nothing else does.

/** Base, past, participle. A missing form equals the previous one. */
const IRREGULAR = `be was been|have had|do did done|go went gone|say said|make made|get got gotten|know knew known
  |think thought|take took taken|see saw seen|come came come|give gave given|find found|tell told|become became become
  |leave left|feel felt|bring brought|begin began begun|keep kept|hold held|write wrote written|stand stood|hear heard
  |mean meant|meet met|run ran run|pay paid|sit sat|speak spoke spoken|lie lay lain|lead led|grow grew grown|lose lost
  |fall fell fallen|send sent|build built|understand understood|draw drew drawn|break broke broken|spend spent
  |rise rose risen|drive drove driven|buy bought|wear wore worn|choose chose chosen|eat ate eaten|drink drank drunk
  |sleep slept|sell sold|teach taught|catch caught|fly flew flown|forget forgot forgotten|win won|sing sang sung
  |swim swam swum|ride rode ridden|throw threw thrown|show showed shown|fight fought|wake woke woken|hide hid hidden
  |steal stole stolen|bite bit bitten|blow blew blown|dig dug|feed fed|forgive forgave forgiven|freeze froze frozen
  |hang hung|lend lent|light lit|ring rang rung|seek sought|shake shook shaken|shine shone|shoot shot|sink sank sunk
  |stick stuck|strike struck|swear swore sworn|sweep swept|tear tore torn|wind wound|bend bent|deal dealt|dream dreamt
  |learn learnt|burn burnt|overcome overcame overcome|lay laid|misunderstand misunderstood|prove proved proven
  |put put|cut cut|let let|set set|hit hit|cost cost|hurt hurt|quit quit|shut shut|bet bet|read read|spread spread`

const REGULAR = `accept access achieve acquire act add admit advise afford agree allow amaze announce annoy answer apologize appear apply
  appreciate approve argue arrange arrive ask assume attach attend avoid bake bathe beat believe belong blame book borrow bother
  call cancel care carry cause celebrate change charge chat check cheer claim clean clear click climb close collect
  compare complain complete compute concern confirm consider contact contain continue convert convince cook copy correct
  cover cross cry damage dance dare date debug decide declare decorate delay delete deliver demand deny depend deploy deposit
  describe deserve design destroy develop die disagree disappear discover discuss dislike download draft dress drop earn
  edit email encourage end enjoy ensure enter envy escape examine exchange exercise exist expect experience explain
  explore express face fail fax file fill finish fit fix follow force gain generate guess handle happen hate head help hire
  hope hug hurry imagine implement import improve include increase inform inquire insist install intend introduce invest invite
  involve jog join joke jump kick kill kiss knock lack land last laugh lift like listen live load lock look love maintain
  major manage marry matter mention migrate mind miss mix move need notice obey object offer open order organize owe own pack
  paint park pass perform phone pick place plan plant play practice prefer prepare press pretend prevent print produce
  promise protect provide publish pull push raise reach realize receive recommend record reduce refer refuse regret
  relax rely remain remember remind remove rent reorder repair repeat replace reply report request require rescue reserve respond
  rest restart retire return review ring rob roll rush save scan schedule search seem serve settle share shop sign skip
  smell smile smoke solve sound stare start stay stop store strengthen study subscribe succeed suffer suggest summarize
  suit support suppose surprise switch talk taste tend test thank touch train transfer translate travel treat trust try
  turn type update upgrade upload use utilize visit vote wait walk want warn wash waste watch wish wonder work worry wrap
  proceed exceed`

const FORMS: readonly (readonly string[])[] = IRREGULAR.split('|').map((forms) => forms.trim().split(/\s+/))
const PAST_OF: ReadonlyMap<string, string> = new Map(FORMS.map(([base = '', past = '']) => [base, past]))
const BASES: ReadonlySet<string> = new Set([...PAST_OF.keys(), ...REGULAR.split(/\s+/)])
const PASTS: ReadonlySet<string> = new Set(
  FORMS.flatMap(([base, past]) => (past === undefined || past === base ? [] : [past])),
)
const PARTICIPLES: ReadonlySet<string> = new Set(FORMS.map((forms) => forms[2] ?? forms[1] ?? ''))
/** Words that end like a past form but are not. */
const NOT_PAST: ReadonlySet<string> = new Set(
  'need feed bleed breed speed proceed succeed exceed seed weed heed'.split(' '),
)

/** "Overslept", "rebuilt". */
const PREFIX = /^(?:over|under|mis|re|out|with|up)(?=\w{3})/

/** A common verb in its base form. Many are also nouns. */
export function isBaseVerb(word: string): boolean {
  return BASES.has(word)
}

export function isPast(word: string): boolean {
  if (PASTS.has(word) || word === 'agreed') return true
  if (word.endsWith('ed') && word.length > 3 && /[^e]ed$/.test(word) && !NOT_PAST.has(word)) return true
  return PREFIX.test(word) && PASTS.has(word.replace(PREFIX, ''))
}

/** "I put it there" may be present or past; the same form is right for both. */
export function isTimeless(word: string): boolean {
  return PAST_OF.get(word) === word && word !== 'cost' && word !== 'bet'
}

export function isParticiple(word: string): boolean {
  return PARTICIPLES.has(word) || isPast(word)
}

/** go → goes, have → has. */
export function toThirdPersonForm(base: string): string {
  if (base === 'be') return 'is'
  if (base === 'have') return 'has'
  if (/(?:s|x|z|ch|sh|o)$/.test(base)) return `${base}es`
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ies`
  return `${base}s`
}

/** go → went, stay → stayed; undefined for a word that is not a known verb. */
export function toPast(base: string): string | undefined {
  const irregular = PAST_OF.get(base)
  if (irregular !== undefined) return irregular
  if (!BASES.has(base)) return undefined
  if (base.endsWith('e')) return `${base}d`
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`
  const isDoubled =
    /^[^aeiou]*[aeiou][bdgklmnprt]$/.test(base) || /(?:admit|prefer|refer|regret|transfer)$/.test(base)
  return isDoubled ? `${base}${base.at(-1)}ed` : `${base}ed`
}
