// Function words of the languages that Recollect knows: one table for telling a language, for search (a question's function
// words are not searched for) and for names of topics. Folded as by words.ts, without accents.

import { listWords } from './words.ts'

/** ISO 639-1 codes. */
export type LanguageCode = 'en' | 'de' | 'es' | 'fr' | 'pt' | 'it'

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

export const FUNCTION_WORDS: Readonly<Record<LanguageCode, ReadonlySet<string>>> = {
  en: wordsOf(
    `the a an of to in on at for with from by and or but what when where which who whom whose why how is are was were
    be been do does did have has had can could will would should i you he she it we they me him her us them my your
    his our their this that these those not any about if as`,
  ),
  de: wordsOf(
    `wer wen wem wessen wann wo wohin woher wie was warum wieso weshalb welche welcher welches welchen welchem
    wieviel wieviele viel viele ich du er sie es wir ihr mir mich dir dich uns euch ihm ihn ihnen mein meine meinen
    meinem meiner dein deine deinen unser unsere unserem unseren unserer euer eure sein seine seinen seiner ihre
    ihren ihrem der die das den dem des ein eine einen einem einer eines kein keine keinen und oder aber nicht auch
    noch schon nur mal denn dann so ist sind war waren wurde wurden wird werden bin bist hat haben habe hatte hatten
    hast kann konnen konnte muss mussen soll sollen sollte darf durfen will wollen wollte mit von vom zu zum zur im
    in am an auf aus bei beim bis fur gegen nach ohne seit um unter uber vor wegen zwischen da dafur damit daraus
    davon dazu hoch lange oft inzwischen eigentlich genau gerade jetzt aktuell zuletzt gibt geht gab`,
  ),
  es: wordsOf(
    `quien quienes cual cuales cuando donde adonde como que cuanto cuanta cuantos cuantas por porque yo tu el ella
    nosotros ellos ellas me te se nos le les lo la los las un una unos unas mi mis tus su sus nuestro nuestra
    nuestros nuestras y o pero no si ya aun tambien muy mas es son era eran fue fueron ser esta estan estaba esto
    este ese esa eso estos estas ha han he hemos has habia habian hay hace hacer tiene tengo tenemos tener puede
    puedo podemos va van vamos de del a al en con sin para sobre entre desde hasta hacia segun ahora actualmente
    finalmente final`,
  ),
  fr: wordsOf(
    `qui quand ou comment que quoi quel quelle quels quelles combien pourquoi je tu il elle on nous vous ils elles me
    te se lui leur moi toi le la les un une des du de mon ma mes ton ta tes son sa ses notre nos votre vos et mais
    ne pas plus est sont etait etaient ete etre suis es sommes a ont ai as avons avait avoir fait faire peut va vais
    ce cet cette ces ca au aux en dans avec sans pour sur sous entre depuis chez par vers avant apres encore deja
    maintenant actuellement finalement`,
  ),
  pt: wordsOf(
    `quem qual quais quando onde aonde como que quanto quanta quantos quantas por porque eu tu ele ela nos eles elas
    voce voces me te se lhe lhes o a os as um uma uns umas meu minha meus minhas teu tua seu sua seus suas nosso
    nossa e ou mas nao sim ja ainda tambem muito mais sao era eram foi foram ser esta estao estava isso isto aquilo
    este esse essa aquele aquela ha tem tenho temos tinha ter pode posso vai vou vamos de do da dos das em no na nas
    com sem para pra pro pela pelo sobre entre desde ate agora hoje atualmente enfim final`,
  ),
  it: wordsOf(
    `chi quando dove come che cosa quale quali qual quanto quanta quanti quante perche io tu lui lei noi voi loro mi
    ti si ci vi lo la gli le li il i un uno una mio mia miei mie tuo tua suo sua suoi sue nostro nostra nostri
    nostre e o ma non anche ancora gia piu molto sono era erano stato stata stati essere sta stanno siamo ho ha hai
    abbiamo hanno aveva avevamo avere fa fare puo posso possiamo va vado andiamo questo questa questi queste quello
    quella di del dello della dei degli delle a al allo alla ai agli alle da dal dalla in nel nello nella nei nelle
    con su sul sulla per tra fra senza fino dopo prima adesso ora attualmente fine com dov cos`,
  ),
}

const LANGUAGES = Object.entries(FUNCTION_WORDS) as readonly (readonly [LanguageCode, ReadonlySet<string>])[]
/** What no other of these languages writes. */
const TELLING_LETTERS: readonly (readonly [LanguageCode, RegExp])[] = [
  ['de', /[äß]|ö|ü(?!e)/iu],
  ['es', /[¿¡ñ]/u],
  ['fr', /[œùêî]|(?<!\p{L})(?:qu|[dljmnst])['’]\p{L}/iu],
  ['pt', /[ãõ]|(?<!\p{L})é(?!\p{L})/iu],
  ['it', /(?<!\p{L})è(?!\p{L})|[ìò]/iu],
]
/** Words of short commands to an assistant, which may have no other telling word. */
const COMMANDS: Readonly<Record<LanguageCode, ReadonlySet<string>>> = {
  en: wordsOf('summarize summarise show list tell file'),
  de: wordsOf('fasse fass zusammen zeige zeig liste nenne sag datei'),
  es: wordsOf('resume resumen muestra dime lista archivo'),
  fr: wordsOf('resume resumez montre dis liste fichier'),
  pt: wordsOf('resuma resumo mostre mostra diga liste arquivo ficheiro'),
  it: wordsOf('riassumi riassunto mostra dimmi elenca'),
}
const TELLING_LETTER_WEIGHT = 1

/**
 * The language of a text by its function words; a word that several languages have counts less. Undefined if two
 * languages are as likely.
 */
export function languageOfText(text: string): LanguageCode | undefined {
  const scores = new Map<LanguageCode, number>()
  const add = (language: LanguageCode, score: number) =>
    scores.set(language, (scores.get(language) ?? 0) + score)
  for (const word of listWords(text)) {
    const having = LANGUAGES.filter(([language, words]) => words.has(word) || COMMANDS[language].has(word))
    for (const [language] of having) add(language, 1 / having.length)
  }
  for (const [language, letters] of TELLING_LETTERS)
    if (letters.test(text)) add(language, TELLING_LETTER_WEIGHT)
  const [best, second] = [...scores].sort(([, one], [, other]) => other - one)
  return best === undefined || best[1] === second?.[1] ? undefined : best[0]
}
