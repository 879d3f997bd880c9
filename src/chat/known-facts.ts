// Facts that answer a question without sharing a word with it: "Where should we eat?" wants the diet. A fact is chosen by
// its attribute, or if the question asks for everything that is known about the user.

import type { Fact } from '../domain/fact.ts'
import { askedWords, coverageOf, hasWord } from './asked-words.ts'
import { namesIn } from './question-focus.ts'

const words = (source: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'iu')

/** What a question is about, by the attributes of the facts that answer it. */
const QUESTIONS_ABOUT: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    words(
      `eat|eating|food|meal|dinner|lunch|breakfast|restaurant|cook|recipe|diet|vegetarian|vegan|essen|gericht|ernährung|kochen|
       comer|comida|cenar|cena|dieta|restaurante|manger|repas|dîner|régime|jantar|almoço|mangiare|cenare|pranzo|ristorante`.replaceAll(
        /\s+/g,
        '',
      ),
    ),
    ['diet', 'allergy', 'health', 'does not consume'],
  ],
  [
    words('allerg\\w*|alerg\\w*|alérg\\w*|intolerant|intolerance|health|gesundheit|salud|santé|saúde|salute'),
    ['allergy', 'health'],
  ],
  [
    words(
      'live|living in|home|address|hometown|wohn\\w*|zuhause|adresse|vivo|vives?|domicilio|habite\\w*|moro|mora|abito|abiti',
    ),
    ['home'],
  ],
  [
    words(
      'job|for a living|profession|occupation|employer|work|beruf|arbeite\\w*|trabajo|profesión|métier|travaille\\w*|trabalho|profissão|lavoro|mestiere',
    ),
    ['job', 'employer'],
  ],
  [words('birthday|born|geburtstag|geboren|cumpleaños|anniversaire|aniversário|compleanno'), ['birthday']],
  [words('how old|my age|wie alt|cuántos años|quel âge|quantos anos|quanti anni'), ['age', 'birthday']],
  [
    words("my name|who am i|heiße ich|mein name|me llamo|mi nombre|m'appelle|meu nome|mi chiamo|il mio nome"),
    ['name'],
  ],
  [
    words('pet|pets|dog|cat|haustier|hund|katze|mascota|perro|gato|animal|chien|chat|cachorro|cane|gatto'),
    ['pet'],
  ],
]

const EVERYTHING = words(
  `what (?:do|did|can) you (?:know|remember|tell me) about me|what do you (?:know|remember)|who am i|
   was weißt du (?:über|von) mi(?:ch|r)|woran erinnerst du dich|qué sabes (?:de|sobre) mí|qué recuerdas|
   que sais-tu (?:de|sur) moi|qu'est-ce que tu sais (?:de|sur) moi|o que (?:você )?sabe(?:s)? (?:sobre|de) mim|
   (?:che )?cosa sai (?:di|su) me`.replaceAll(/\s*\n\s*/g, ''),
)

/** Whether it asks for all that is known about the user. */
export const asksForEverything = (question: string): boolean => EVERYTHING.test(question)

/** How the assistant should behave, and other standing rules. */
const INSTRUCTIONS: readonly RegExp[] = [
  words(
    'rules|guidelines|regeln|vorgaben|reglas|normas|règles|consignes|regras|regole|indicazioni|ground rules|house style',
  ),
  words(
    'how (?:should|must|shall) (?:you|your|i|it|\\p{L}+ for)|should (?:you|[^?.]* for me)|do i (?:want|like|prefer) [^?.]*(?:you|written|handled|done)',
  ),
  words('(?:sollst|solltest|musst|darfst) du|du [^?.]*(?:vermeiden|achten)|wie (?:soll|möchte ich)'),
  words('(?:debes|deberías|tienes que) [^?.]*(?:conmigo|para mí|evitar)|cómo (?:debes|quiero|prefiero)'),
  words('(?:dois|devrais)-tu|tu (?:dois|devrais)|comment (?:dois|devrais|veux-tu)'),
  words('(?:você |tu )(?:deve|precisa|devia)s?|como (?:quero|prefiro|você deve)'),
  words('(?:devi|dovresti) [^?.]*(?:evitare|con me|per me)|come (?:devi|dovresti|voglio|preferisco)'),
]

export const asksForInstructions = (question: string): boolean =>
  INSTRUCTIONS.some((pattern) => pattern.test(question))

const LIST = words(
  `list|every(?:one|body|thing)|all|whole|who (?:else )?(?:belongs|is in|are|lives)|compare|what (?:changes|events)|which \\p{L}+s|alle|sämtliche|liste|todos|todas|
   qué [\\p{L}]+s|lista|tous|toutes|todos os|todas as|tutti|tutte|quali|elenca|elenco`.replaceAll(
    /\s*\n\s*/g,
    '',
  ),
)

/** Whether the answer is a list, or has several parts. */
export const asksForList = (question: string): boolean => LIST.test(question) || asksForInstructions(question)

/** A part of the question's words, all of a short question. */
const MIN_COVERAGE = 0.75
const MIN_WORDS = 2
const MAX_INSTRUCTIONS = 4

const isInstruction = ({ kind, attribute }: Fact): boolean =>
  kind === 'instruction' || attribute === 'instruction'

/** The facts that answer a question: by their attribute, by its words, or the standing instructions it asks for. */
export function factsFor(question: string, facts: readonly Fact[]): readonly Fact[] {
  const attributes = new Set(QUESTIONS_ABOUT.flatMap(([about, names]) => (about.test(question) ? names : [])))
  const asked = askedWords(question)
  const coverage = (fact: Fact): number =>
    coverageOf(`${fact.subject} ${fact.attribute} ${fact.value}`, asked)
  const wantsInstructions = asksForInstructions(question)
  const instructions = facts
    .filter((fact) => wantsInstructions && isInstruction(fact))
    .toSorted(
      (one, other) => coverage(other) - coverage(one) || other.saidAt.getTime() - one.saidAt.getTime(),
    )
    .slice(0, MAX_INSTRUCTIONS)
  const names = namesIn(question)
  const isAbout = ({ subject }: Fact): boolean =>
    names.length === 0 ? subject === 'user' : names.some((name) => hasWord(subject, name))
  const byAttribute = facts.filter((fact) => isAbout(fact) && attributes.has(fact.attribute))
  const byWords = facts.filter(
    (fact) => !isInstruction(fact) && asked.length >= MIN_WORDS && coverage(fact) >= MIN_COVERAGE,
  )
  return [...new Set([...instructions, ...byAttribute, ...byWords])]
}

/** What is known, attributes before statements, newest last. */
export function profileOf(facts: readonly Fact[], limit: number): readonly Fact[] {
  const isStatement = ({ kind }: Fact): boolean => kind === 'statement'
  return [...facts.filter((fact) => !isStatement(fact)), ...facts.filter(isStatement).slice(-limit)].slice(
    0,
    limit,
  )
}

/** "diet: vegetarian"; a statement and an instruction are sentences already. */
export function describeFact({ kind, subject, attribute, value }: Fact): string {
  const isSentence = kind === 'instruction' || kind === 'statement'
  const what = isSentence ? value : `${attribute}: ${value}`
  return subject === 'user' ? what : `${subject}: ${what}`
}
