import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formsIn, languageOf } from './languages.ts'

const wordsOf = (text: string) => text.split(' ')

/** Forms of `word` in the language of `question`. */
function formsOf(question: string, word: string): readonly string[] {
  const language = languageOf(wordsOf(question))
  return language === undefined ? [] : formsIn(language, word)
}

const GERMAN = 'wann kommt unser besuch'
const SPANISH = 'cuando viene nuestra hermana'
const FRENCH = 'quand est ce que nous partons'
const PORTUGUESE = 'quando foi que voce pagou'
const ITALIAN = 'quando abbiamo il treno per roma'

describe('words in other languages', () => {
  test.each([
    [GERMAN, 'garten', 'garten'],
    [GERMAN, 'rechnungen', 'rechnung'],
    [GERMAN, 'gekauft', 'kaufen'],
    [GERMAN, 'abgeholt', 'abholen'],
    [GERMAN, 'bestellt', 'bestellung'],
    [SPANISH, 'ventanas', 'ventana'],
    [SPANISH, 'compramos', 'comprar'],
    [SPANISH, 'habitaciones', 'habitacion'],
    [FRENCH, 'voitures', 'voiture'],
    [FRENCH, 'payons', 'payer'],
    [PORTUGUESE, 'vendeu', 'vender'],
    [PORTUGUESE, 'reunioes', 'reuniao'],
    [ITALIAN, 'biglietti', 'biglietto'],
    [ITALIAN, 'prenotato', 'prenotare'],
  ])('asked "%s", the word "%s" also searches for "%s"', (question, word, form) => {
    expect(formsOf(question, word)).toContain(form)
  })

  test.each(['when does our train leave', 'Palermo 2026', 'wo', ''])(
    '"%s" is read as English',
    (question) => {
      expect(languageOf(wordsOf(question))).toBeUndefined()
    },
  )

  test('words that phrase a question are not searched for', () => {
    for (const word of ['wann', 'unser'])
      expect(languageOf(wordsOf(GERMAN))?.functionWords.has(word)).toBe(true)
  })

  test('forms begin with the word, have no duplicates and stay few', () => {
    const language = languageOf(wordsOf(SPANISH))
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z]{1,30}$/)), (word) => {
        const forms = language === undefined ? [] : formsIn(language, word)
        expect(forms[0]).toBe(word)
        expect(new Set(forms).size).toBe(forms.length)
        expect(forms.length).toBeLessThanOrEqual(60)
      }),
    )
  })
})
