// Languages other than English, as far as the search needs them: the words that only phrase a question, and the endings
// that words take. The index holds words as written, so endings are removed and the other endings of the language are
// added again, as word-forms.ts does for English: "besichtigt" also searches for "besichtigen" and "Besichtigung". Forms
// that do not exist cost a lookup that finds nothing. Everything is folded, without accents.

import { FUNCTION_WORDS } from '../../domain/function-words.ts'

const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/)

export interface Language {
  /** Function words: the most frequent ones tell the language, and none of them is searched for. */
  readonly functionWords: ReadonlySet<string>
  /** Endings of nouns and adjectives, and endings of verbs. A stem takes all endings of one list. */
  readonly endings: readonly (readonly string[])[]
  /** Endings that change as a whole, singular and plural: "-ção" and "-ções". */
  readonly pairs?: readonly (readonly [string, string])[]
  /** Prefix of participles: "gesucht", "eingezogen". */
  readonly participle?: RegExp
}

const LANGUAGES: readonly Language[] = [
  {
    functionWords: FUNCTION_WORDS.de,
    endings: [
      wordsOf('e en er ern n s es em ere eren erin erinnen in innen').concat(''),
      wordsOf('en e st t te ten test tet end ung ungen er n').concat(''),
    ],
    participle: /^(ab|an|auf|aus|bei|durch|ein|fest|her|hin|los|mit|nach|um|vor|weg|zu|zuruck)?ge(?=.{4})/,
  },
  {
    functionWords: FUNCTION_WORDS.es,
    endings: [
      wordsOf('o a os as e es s').concat(''),
      wordsOf(`ar er ir o as a amos an e es en emos imos aba aban ia ian ado ada ados adas ido ida idos idas ando iendo aste
      iste aron ieron ara era ira aran eran iran are ere ire`),
    ],
    pairs: [
      ['cion', 'ciones'],
      ['z', 'ces'],
      ['dor', 'dores'],
    ],
  },
  {
    functionWords: FUNCTION_WORDS.fr,
    endings: [
      wordsOf('e s es x aux ale').concat(''),
      wordsOf(
        'er e es ons ez ent ais ait aient ee ees ant i is it ie ies u ue us ues ir re era erait eront',
      ).concat(''),
    ],
  },
  {
    functionWords: FUNCTION_WORDS.pt,
    endings: [
      wordsOf('o a os as e es s').concat(''),
      wordsOf(`ar er ir o as a amos am em e es emos imos ei ou eu iu ava avam ia iam aram eram iram ado ada ados adas ido ida
      idos idas ando endo indo ara era ira arao erao irao arei`),
    ],
    pairs: [
      ['cao', 'coes'],
      ['ao', 'oes'],
      ['al', 'ais'],
      ['el', 'eis'],
      ['em', 'ens'],
      ['dor', 'dores'],
    ],
  },
  {
    functionWords: FUNCTION_WORDS.it,
    endings: [
      wordsOf('o a i e he hi'),
      wordsOf(`are ere ire o i a e iamo ate ete ite ano ono avo ava avano evo eva evano ato ata ati uto uta uti ute ito ita
      iti ando endo ai ei ii arono erono irono era eranno`),
    ],
    pairs: [['zione', 'zioni']],
  },
]

/** The language that has most of these words as function words; undefined for English and where none has two. */
export function languageOf(words: readonly string[]): Language | undefined {
  let best: Language | undefined
  let most = Math.max(1, words.filter((word) => FUNCTION_WORDS.en.has(word)).length)
  for (const language of LANGUAGES) {
    const count = words.filter((word) => language.functionWords.has(word)).length
    if (count > most) [best, most] = [language, count]
  }
  return best
}

const SHORTEST_STEM = 3
const LETTERS = /^\p{Script=Latin}{4,30}$/u

/** A word with the forms that it may take in a language, itself first. */
export function formsIn(language: Language, word: string): readonly string[] {
  if (!LETTERS.test(word)) return [word]
  const bare = [word, ...withoutParticiple(language, word)]
  const inflected = bare.flatMap((one) => language.endings.flatMap((endings) => inflect(one, endings)))
  const paired = (language.pairs ?? []).flatMap(([one, other]) => [
    ...exchange(word, one, other),
    ...exchange(word, other, one),
  ])
  return [...new Set([word, ...inflected, ...paired])]
}

function inflect(word: string, endings: readonly string[]): readonly string[] {
  const stem = stemOf(word, endings)
  return stem === undefined ? [] : endings.map((ending) => stem + ending)
}

const exchange = (word: string, ending: string, instead: string): readonly string[] =>
  word.endsWith(ending) ? [word.slice(0, -ending.length) + instead] : []

/** The word without the longest of these endings, if it has one. */
function stemOf(word: string, endings: readonly string[]): string | undefined {
  const fitting = endings.filter(
    (ending) => word.endsWith(ending) && word.length - ending.length >= SHORTEST_STEM,
  )
  const longest = fitting.sort((one, other) => other.length - one.length)[0]
  return longest === undefined ? undefined : word.slice(0, word.length - longest.length)
}

/** "eingezogen" without its prefix is "einzogen". */
function withoutParticiple({ participle }: Language, word: string): readonly string[] {
  const found = participle?.exec(word)
  return found == null ? [] : [(found[1] ?? '') + word.slice(found[0].length)]
}
