const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

export const MODALS: ReadonlySet<string> = list(
  `will would can could shall should may might must won't wouldn't can't cannot couldn't shouldn't mustn't`,
)
export const BE_HAVE_DO: ReadonlySet<string> = list(
  `am is are was were isn't aren't wasn't weren't have has had haven't hasn't hadn't do does did don't doesn't didn't`,
)
export const QUESTION_WORDS: ReadonlySet<string> = list('what where when why how who whom whose which')
export const SUBJECTS: ReadonlySet<string> = list('i you we they he she it there this that these those')
export const DETERMINERS: ReadonlySet<string> = list(
  `the a an my your his her its our their this that these those any some every each all no another`,
)
export const PREPOSITIONS: ReadonlySet<string> = list(
  `of in for to with at on from by about into over under between without after before during through against than as
   like near behind beside around until since towards upon off out up down`,
)
/** May be between a subject and its verb. */
const ADVERBS: ReadonlySet<string> = list(
  `just also never always still already even often sometimes ever not rather almost soon now then both all only seldom
   once too quite well kind sort sure`,
)
/** Verbs that are used as nouns just as often: "work and play". */
export const NOUN_VERBS: ReadonlySet<string> = list(
  `work play study walk travel order book change call email report cook drink exercise rest talk sleep dance love plan
   test phone fax place face hand look match record share shop sign smell smile smoke sound start stop store study
   support surprise taste thank touch train transfer treat trust try turn type use visit vote wait wash waste watch wish
   worry cut hit set bet light ring show fall rise dream answer answer end park paint print state water milk fish`,
)

export function isAuxiliary(word: string): boolean {
  return MODALS.has(word) || BE_HAVE_DO.has(word)
}

export function isAdverb(word: string): boolean {
  return (
    ADVERBS.has(word) || (word.length > 4 && word.endsWith('ly') && word !== 'family' && word !== 'reply')
  )
}
