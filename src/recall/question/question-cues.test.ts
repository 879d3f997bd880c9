import { describe, expect, test } from 'vitest'
import { asksForAll, type QuestionCues, readCues } from './question-cues.ts'

const CUES: readonly (keyof QuestionCues)[] = [
  'asksWhen',
  'asksHowMany',
  'asksName',
  'asksAdvice',
  'asksAssistant',
  'asksSummary',
  'asksOrder',
  'asksLatest',
  'asksFirst',
]
const cuesOf = (question: string) => CUES.filter((cue) => readCues(question)[cue])

describe('what a question asks for', () => {
  test.each<[string, ...(keyof QuestionCues)[]]>([
    ['When did Caroline go to the parade?', 'asksWhen'],
    ['And when was that?', 'asksWhen'],
    ['What year did we move?', 'asksWhen'],
    ['How long have they been married?', 'asksWhen'],
    ['How many weeks did it take?', 'asksWhen', 'asksHowMany'],
    ['How many children does Ana have?', 'asksHowMany'],
    ['How old is the dog?', 'asksHowMany'],
    ['What percentage did we save?', 'asksHowMany'],
    ['Who came along?', 'asksName'],
    ['And where do I work?', 'asksName'],
    ['Which Italian restaurants did she like?', 'asksName'],
    ['What should I cook tonight?', 'asksAdvice'],
    ['Can you recommend a hotel?', 'asksAdvice'],
    ['Any tips for the interview?', 'asksAdvice'],
    ['What did you suggest for the garden?', 'asksAdvice', 'asksAssistant'],
    ['You said something about taxes, what was it?', 'asksAssistant'],
    ['How much did you estimate for the roof?', 'asksHowMany', 'asksAssistant'],
    ['Was hast du mir gegen Blattläuse empfohlen?', 'asksAssistant'],
    ['¿Qué vino nos recomendaste?', 'asksAssistant'],
    ['Que prazo você sugeriu?', 'asksAssistant'],
    ['Che vino mi hai consigliato?', 'asksAssistant'],
    ["Qu'est-ce que tu m'as conseillé ?", 'asksAssistant'],
    ['Give me a summary of the project', 'asksSummary'],
    ['Can you recap the trip?', 'asksSummary'],
    ['In what order did I mention the tools?', 'asksOrder'],
    ['List the order in which I brought up the aspects of my app', 'asksOrder'],
    ['A timeline of the move', 'asksOrder'],
    ['What is my latest salary?', 'asksLatest'],
    ['Where do I work currently?', 'asksName', 'asksLatest'],
    ['Which hall did they take in the end?', 'asksLatest'],
    ['Welchen Saal nehmen wir inzwischen?', 'asksLatest'],
    ['¿Qué sala usamos ahora?', 'asksLatest'],
    ['Quelle salle avons-nous maintenant ?', 'asksLatest'],
    ['Que sala a gente usa agora?', 'asksLatest'],
    ['Che sala usiamo adesso?', 'asksLatest'],
    ['Where did we first meet Ana?', 'asksName', 'asksFirst'],
    ['What was the boat called that I first mentioned?', 'asksName', 'asksFirst'],
    ['What was the budget originally?', 'asksFirst'],
    ['What is the name of the cat?', 'asksName'],
    ['What is the colour of the cat?'],
    ['whenever you like'],
    ['Wo wohnt Ana?'],
    [''],
  ])('%s', (question, ...expected) => {
    expect(cuesOf(question)).toEqual(expected)
  })

  test.each([
    ['Summarize my progress on the thesis', true],
    ['How did the design evolve, in order?', true],
    ['What did I decide throughout our conversations?', true],
    ['How has my running developed over time?', true],
    ['What have we tried so far?', true],
    ['What is my running shoe?', false],
    ['In order to win, what did I do?', true],
  ])('the whole of a matter: %s', (question, expected) => {
    expect(asksForAll(question, readCues(question))).toBe(expected)
  })
})
