import { expect, test } from 'vitest'
import { languageOfText } from './function-words.ts'

test.each([
  ['en', 'Who waters the plants?'],
  ['en', 'Which bus?'],
  ['de', 'Wann kommt der Klempner?'],
  ['es', '¿Cuánto pagamos por la boda?'],
  ['es', 'donde vive mi tio'],
  ['fr', 'Où est le chat de Margot ?'],
  ['fr', "Quand est-ce qu'on part ?"],
  ['pt', 'Quanto custa o conserto do carro?'],
  ['pt', 'Qual é o nome do meu vizinho?'],
  ['it', 'Quanto costa la palestra al mese?'],
  ['it', 'Dove abita mia zia?'],
  ['it', 'Chi ha le chiavi?'],
  ['fr', 'Montre le fichier'],
  ['pt', 'Mostre o arquivo'],
])('the language of a short question is recognized: %s: %s', (language, question) => {
  expect(languageOfText(question)).toBe(language)
})

test('a text without function words is in no language', () => {
  expect(languageOfText('Pizza Margherita?')).toBeUndefined()
})
