// Words that say little about a subject, folded as by words.ts, where "don't" is "don" and "t".

const wordList = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Function words and small talk, of the languages most written in chats. */
export const SMALL_WORDS: ReadonlySet<string> = wordList(
  `i me my mine myself we us our ours you your yours he him his she her hers it its they them their theirs this that
   these those a an the and or but if then than so because as of at by for with about to from in on off up down out
   over under again am is are was were be been being do does did doing done have has had having can could will would
   shall should may might must not no nor only just very too also here there now when where why how what which who whom
   all any both each few more most other some such same own im ive id ill dont doesnt didnt cant wont isnt don doesn
   didn won isn aren wasn couldn wouldn shouldn hasn haven s t m re ve d ll yes yeah yep sure ok okay please thanks thank
   hi hello hey well oh wow great good nice cool need want like get got let know think go going make one thing something
   anything else help really much many lot still even ever never always
   der die das den dem des ein eine einen einem einer und oder aber ich du er sie es wir ihr mir mich dir dich uns ist
   sind war bin hat haben habe mit von zu im am auf fur nicht auch wie was wo wann warum bitte danke ja nein
   el la los las un una unos unas y o pero yo tu ella nosotros es son era de del en con por para no si que como cuando
   donde gracias favor hola le les des du au aux et ou mais je il elle nous vous est sont dans sur avec pour pas oui non
   merci bonjour os as um uma e mas eu ele ela do da dos das em com sem sim nao obrigado il lo gli di della che`,
)

/** Frequent whatever the subject: numbers, times, plain verbs and adjectives. */
export const COMMON_WORDS: ReadonlySet<string> = wordList(
  `number people time day place find look looking book give tell show information address use work way back new old
   first last next right left best better long little big small high low part see seen saw say said come came take took
   put keep call called try tried ask asked feel felt start started stop bit kind sort type different able available
   sorry maybe probably sound sounds hear heard wait mean minute hour week month year today tomorrow yesterday night
   morning afternoon evening monday tuesday wednesday thursday friday saturday sunday two three four five six seven
   eight nine ten hundred thousand happy glad lets lol haha everything nothing someone person live lives lived love
   loves enjoy every guess pretty though since while before after until already yet prefer preference option options
   area ready top bottom example`,
)

const NUMBER = /^\p{N}+$/u

/** Whether a folded word tells what a text is about. */
export function isContentWord(word: string): boolean {
  return !(SMALL_WORDS.has(word) || COMMON_WORDS.has(word) || isNumber(word))
}

/** Whether a folded word has nothing but digits, of any language. */
export function isNumber(word: string): boolean {
  // Nearly all words begin with a small letter: the expression need not be asked.
  return !(word >= 'a' && word < '{') && NUMBER.test(word)
}
