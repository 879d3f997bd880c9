import { alternatives } from '../../../domain/multiline-regexp.ts'
import { wordList } from './word-list.ts'

// Words for relatives, friends and pets, each with its attribute.

const ATTRIBUTES: Readonly<Record<string, string>> = {
  mom: 'mother',
  mum: 'mother',
  mama: 'mother',
  dad: 'father',
  papa: 'father',
  fiance: 'fiancé',
  fiancee: 'fiancé',
  fiancée: 'fiancé',
  hubby: 'husband',
  grandma: 'grandmother',
  grandpa: 'grandfather',
  'co-worker': 'colleague',
  coworker: 'colleague',
  workmate: 'colleague',
  buddy: 'friend',
  pal: 'friend',
  'best friend': 'friend',
  kid: 'child',
  kids: 'child',
  children: 'child',
  neighbor: 'neighbour',
  bf: 'boyfriend',
  gf: 'girlfriend',
}
/** Most people have only one of these, so "my wife" without a name still identifies a person. */
const UNIQUE = wordList(
  'wife husband spouse partner girlfriend boyfriend fiancé mother father boss manager landlord grandmother grandfather',
)
const PEOPLE = alternatives`
  best friend|friend|wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|hubby|mother|father|mom|
  mum|mama|dad|papa|sister|brother|son|daughter|kid|child|cousin|aunt|uncle|niece|nephew|grandma|grandpa|
  grandmother|grandfather|grandson|granddaughter|stepson|stepdaughter|stepmother|stepfather|mother-in-law|
  father-in-law|sister-in-law|brother-in-law|roommate|flatmate|housemate|colleague|co-?worker|workmate|boss|
  manager|mentor|coach|teacher|therapist|doctor|lawyer|attorney|landlord|neighbou?r|buddy|pal|teammate|
  trainer|assistant|supervisor|advisor|tutor`
const ANIMALS = alternatives`
  dog|cat|puppy|kitten|parrot|rabbit|bunny|hamster|guinea pig|horse|pony|turtle|tortoise|goldfish|snake|
  lizard|gecko|ferret|budgie|canary|chinchilla|labrador|retriever|poodle|beagle|corgi|dachshund|terrier|
  bulldog|shepherd`

/** Regular expression alternatives, for patterns. */
export const PERSON_WORDS: string = PEOPLE
export const ANIMAL_WORDS: string = ANIMALS

const PLURALS: Readonly<Record<string, string>> = {
  kids: 'child',
  children: 'child',
  sons: 'son',
  daughters: 'daughter',
  sisters: 'sister',
  brothers: 'brother',
  friends: 'friend',
  cousins: 'cousin',
  colleagues: 'colleague',
  nieces: 'niece',
  nephews: 'nephew',
  roommates: 'roommate',
}
export const PERSON_PLURALS: string = Object.keys(PLURALS).join('|')

const animal = new RegExp(`(?:^|\\s)(?:${ANIMALS})$`, 'i')

/** The attribute of a relation: mom → mother, puppy → pet. */
export function relationAttribute(word: string): string {
  const plain = word.toLowerCase()
  if (animal.test(plain)) return 'pet'
  return PLURALS[plain] ?? ATTRIBUTES[plain] ?? plain
}

/** Whether "my …" without a name can only mean one person. */
export function isUniqueRelation(attribute: string): boolean {
  return UNIQUE.has(attribute)
}
