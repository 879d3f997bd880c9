// Languages other than English, as far as the search needs them: the words that only phrase a question, and the endings
// that words take. The index holds words as written, so endings are removed and the other endings of the language are
// added again, as word-forms.ts does for English: "besichtigt" also searches for "besichtigen" and "Besichtigung". Forms
// that do not exist cost a lookup that finds nothing. Everything is folded, without accents.

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
    functionWords: new Set(
      wordsOf(`wer wen wem wessen wann wo wohin woher wie was warum wieso weshalb welche welcher welches welchen welchem
      wieviel wieviele viel viele ich du er sie es wir ihr mir mich dir dich uns euch ihm ihn ihnen mein meine meinen meinem
      meiner dein deine deinen unser unsere unserem unseren unserer euer eure sein seine seinen seiner ihre ihren ihrem der
      die das den dem des ein eine einen einem einer eines kein keine keinen und oder aber nicht auch noch schon nur mal
      denn dann so ist sind war waren wurde wurden wird werden bin bist hat haben habe hatte hatten hast kann konnen konnte
      muss mussen soll sollen sollte darf durfen will wollen wollte mit von vom zu zum zur im in am an auf aus bei beim bis
      fur gegen nach ohne seit um unter uber vor wegen zwischen da dafur damit daraus davon dazu hoch lange oft inzwischen
      eigentlich genau gerade jetzt aktuell zuletzt gibt geht gab`),
    ),
    endings: [
      wordsOf('e en er ern n s es em ere eren erin erinnen in innen').concat(''),
      wordsOf('en e st t te ten test tet end ung ungen er n').concat(''),
    ],
    participle: /^(ab|an|auf|aus|bei|durch|ein|fest|her|hin|los|mit|nach|um|vor|weg|zu|zuruck)?ge(?=.{4})/,
  },
  {
    functionWords: new Set(
      wordsOf(`quien quienes cual cuales cuando donde adonde como que cuanto cuanta cuantos cuantas por porque yo tu el ella
      nosotros ellos ellas me te se nos le les lo la los las un una unos unas mi mis tus su sus nuestro nuestra nuestros
      nuestras y o pero no si ya aun tambien muy mas es son era eran fue fueron ser esta estan estaba esto este ese esa eso
      estos estas ha han he hemos has habia habian hay hace hacer tiene tengo tenemos tener puede puedo podemos va van vamos
      de del a al en con sin para sobre entre desde hasta hacia segun ahora actualmente finalmente final`),
    ),
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
    functionWords: new Set(
      wordsOf(`qui quand ou comment que quoi quel quelle quels quelles combien pourquoi je tu il elle on nous vous ils elles
      me te se lui leur moi toi le la les un une des du de mon ma mes ton ta tes son sa ses notre nos votre vos et mais ne
      pas plus est sont etait etaient ete etre suis es sommes a ont ai as avons avait avoir fait faire peut va vais ce cet
      cette ces ca au aux en dans avec sans pour sur sous entre depuis chez par vers avant apres encore deja maintenant
      actuellement finalement`),
    ),
    endings: [
      wordsOf('e s es x aux ale').concat(''),
      wordsOf(
        'er e es ons ez ent ais ait aient ee ees ant i is it ie ies u ue us ues ir re era erait eront',
      ).concat(''),
    ],
  },
  {
    functionWords: new Set(
      wordsOf(`quem qual quais quando onde aonde como que quanto quanta quantos quantas por porque eu tu ele ela nos eles elas
      voce voces me te se lhe lhes o a os as um uma uns umas meu minha meus minhas teu tua seu sua seus suas nosso nossa e ou
      mas nao sim ja ainda tambem muito mais e sao era eram foi foram ser esta estao estava isso isto aquilo este esta esse
      essa aquele aquela ha tem tenho temos tinha ter pode posso vai vou vamos de do da dos das em no na nos nas com sem para
      pra pro pela pelo sobre entre desde ate agora hoje atualmente enfim final`),
    ),
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
    functionWords: new Set(
      wordsOf(`chi quando dove come che cosa quale quali qual quanto quanta quanti quante perche io tu lui lei noi voi loro mi
      ti si ci vi lo la gli le li il i un uno una mio mia miei mie tuo tua suo sua suoi sue nostro nostra nostri nostre e o
      ma non anche ancora gia piu molto sono e era erano stato stata stati essere sta stanno siamo ho ha hai abbiamo hanno
      aveva avevamo avere fa fare puo posso possiamo va vado andiamo questo questa questi queste quello quella di del dello
      della dei degli delle a al allo alla ai agli alle da dal dalla in nel nello nella nei nelle con su sul sulla per tra
      fra senza fino dopo prima adesso ora attualmente fine com dov cos`),
    ),
    endings: [
      wordsOf('o a i e he hi'),
      wordsOf(`are ere ire o i a e iamo ate ete ite ano ono avo ava avano evo eva evano ato ata ati uto uta uti ute ito ita
      iti ando endo ai ei ii arono erono irono era eranno`),
    ],
    pairs: [['zione', 'zioni']],
  },
]

const ENGLISH: ReadonlySet<string> = new Set(
  wordsOf(`the a an of to in on at for with from by and or but what when where which who whom whose why how is are was were
  be been do does did have has had can could will would should i you he she it we they me him her us them my your his our
  their this that these those not any about if as`),
)

/** The language that has most of these words as function words; undefined for English and where none has two. */
export function languageOf(words: readonly string[]): Language | undefined {
  let best: Language | undefined
  let most = Math.max(1, words.filter((word) => ENGLISH.has(word)).length)
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
