import { expect, test } from 'vitest'
import { readStatements } from './find-statements.ts'
import { resolveReferences } from './resolve-references.ts'
import { splitSentences } from './split-sentences.ts'

const resolve = (text: string, before?: string): string[] =>
  resolveReferences(splitSentences(text), { before }).sentences.map((sentence) => sentence.text)

test.each([
  [
    'my plumber is Tess Ardent. She charges 55 an hour',
    ['my plumber is Tess Ardent', 'Tess Ardent charges 55 an hour'],
  ],
  [
    'the vet says it is nothing. His number is 0161 555 0134',
    ['the vet says it is nothing', "The vet's number is 0161 555 0134"],
  ],
  [
    'meine Maklerin heißt Ilka Roth. Sie ist nur freitags da',
    ['meine Maklerin heißt Ilka Roth', 'Ilka Roth ist nur freitags da'],
  ],
  [
    'mi abogada es Nuria Salas. Su despacho está en Lugo',
    ['mi abogada es Nuria Salas', 'Su despacho (Nuria Salas) está en Lugo'],
  ],
])('%s', (text, sentences) => {
  expect(resolve(text)).toEqual(sentences)
})

test('of two people in a sentence, the one named last is meant', () => {
  const [, second] = resolve('my boss Olga asked my sister Pia. Her number is 0161 555 0177')
  expect(second).toBe("Pia's number is 0161 555 0177")
})

test('a message continues with the only person of the one before', () => {
  expect(resolve('she opens at 7:15 on Mondays', 'Tess Ardent')).toEqual([
    'Tess Ardent opens at 7:15 on Mondays',
  ])
})

test('a sentence about nobody that was named is not kept', () => {
  expect(readStatements('Her name is Tess Ardent, 0161 555 0134', {}).statements).toEqual([])
})

test('a statement with a resolved pronoun keeps the sentence as it was written', () => {
  const { statements } = readStatements('my plumber is Tess Ardent. She charges 55 euros an hour', {})
  expect(statements.at(-1)?.evidence).toBe('She charges 55 euros an hour')
})
