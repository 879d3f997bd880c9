// Facts that answer a question without sharing a word with it: "Where should we eat?" wants the diet. A fact is chosen by
// its attribute, or if the question asks for everything that is known about the user.

import type { Fact } from '../domain/fact.ts'

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
    ['diet', 'allergy', 'does not consume'],
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

/** The facts that answer a question by their attribute. */
export function factsFor(question: string, facts: readonly Fact[]): readonly Fact[] {
  const attributes = new Set(QUESTIONS_ABOUT.flatMap(([about, names]) => (about.test(question) ? names : [])))
  return facts.filter(({ subject, attribute }) => subject === 'user' && attributes.has(attribute))
}

/** "diet: vegetarian"; a statement and an instruction are sentences already. */
export function describeFact({ kind, subject, attribute, value }: Fact): string {
  const isSentence = kind === 'instruction' || kind === 'statement'
  const what = isSentence ? value : `${attribute}: ${value}`
  return subject === 'user' ? what : `${subject}: ${what}`
}
