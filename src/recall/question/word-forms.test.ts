import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formsOf, relativesOf } from './word-forms.ts'

const meet = (one: string, other: string): boolean =>
  formsOf(one).includes(other) && formsOf(other).includes(one)

describe('forms of a word', () => {
  test.each([
    'paint painted painting paints',
    'plan planned planning plans',
    'bake baked baking bakes',
    'carry carried carrying carries',
    'watch watched watching watches',
    'play played playing plays',
    'agree agreed agreeing agrees',
    'try tried trying tries',
    'travel travelled travelling travels',
    'dog dogs',
    'story stories',
    'box boxes',
    'puppy puppies',
    'movie movies',
    'cookie cookies',
    'potato potatoes',
  ])('find each other: %s', (line) => {
    const forms = line.split(' ')
    const apart = forms.flatMap((one) =>
      forms.filter((other) => !meet(one, other)).map((other) => `${one} ${other}`),
    )
    expect(apart).toEqual([])
  })

  test.each([
    'go went gone goes going',
    'buy bought buying buys',
    'see saw seen seeing sees',
    'take took taken taking takes',
    'run ran running runs',
    'swim swam swum swimming',
    'child children',
    'woman women',
    'life lives',
    'write wrote written writing writes',
    'lead led leading leads',
    'tie tied tying ties',
  ])('find each other where no rule makes them: %s', (line) => {
    const forms = line.split(' ')
    const apart = forms.flatMap((one) =>
      forms.filter((other) => !meet(one, other)).map((other) => `${one} ${other}`),
    )
    expect(apart).toEqual([])
  })

  test.each([
    ['see', 'seed'],
    ['class', 'clas'],
    ['bus', 'bu'],
    ['red', 'r'],
    ['founded', 'find'],
    ['roses', 'rise'],
  ])('%s does not look for %s', (one, other) => {
    expect(formsOf(one)).not.toContain(other)
  })

  test('begin with the word itself, and have none twice', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z]{1,30}$/)), (word) => {
        const forms = formsOf(word)
        expect(forms[0]).toBe(word)
        expect(new Set(forms).size).toBe(forms.length)
      }),
    )
  })

  test('stay few: each is looked up', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{3,24}$/), (word) => {
        expect(formsOf(word).length).toBeLessThanOrEqual(40)
      }),
    )
  })

  test.each(['straße', 'größe', 'вода', '日 本', 'שלום', 'café', 'x', 'a1b2', '2024', 'don’t'])(
    '%s stands for itself alone',
    (word) => {
      expect(formsOf(word)).toEqual([word])
      expect(relativesOf(word)).toEqual([])
    },
  )
})

describe('relatives of a word', () => {
  test.each([
    ['adoption', 'adopt'],
    ['painter', 'painting'],
    ['teacher', 'teaching'],
    ['investment', 'invest'],
    ['kindness', 'kind'],
  ])('%s stands for %s', (word, relative) => {
    expect(relativesOf(word)).toContain(relative)
  })

  test.each([
    ['participant', 'participation'],
    ['bed', 'b'],
    ['sing', 's'],
  ])('%s does not stand for %s', (word, other) => {
    expect(relativesOf(word)).not.toContain(other)
  })
})
