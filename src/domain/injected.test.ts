import fc from 'fast-check'
import { expect, test } from 'vitest'
import { effort } from '../../test/support/effort.ts'
import { hostileText } from '../../test/support/hostile-text.arbitrary.ts'
import { quoteInjected, toInjected, withoutInjected } from './injected.ts'

test('no quoted text can close the marks or open others, however it is composed', () => {
  fc.assert(
    fc.property(fc.array(hostileText, { maxLength: 4 }), hostileText, (texts, question) => {
      const injected = toInjected(texts.map((text) => `[source] ${quoteInjected(text)}`))
      expect(injected.match(/<recollect-memory/gi)).toHaveLength(1)
      expect(injected.match(/<\/recollect-memory/gi)).toHaveLength(1)
      expect(withoutInjected(injected)).toBe('')
      expect(withoutInjected(`${injected}\n\n${question}`)).toBe(`\n\n${withoutInjected(question)}`)
    }),
    { numRuns: effort({ short: 400, long: 2000 }) },
  )
})

test('no line of quoted text begins where one of our lines does', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const [, ...lines] = quoteInjected(text).split(/[\n\r\v\f\u0085\u2028\u2029]/)
      expect(lines.every((line) => line.startsWith('  '))).toBe(true)
    }),
    { numRuns: effort({ short: 200, long: 1000 }) },
  )
})

test('harmless text stays unchanged, code included', () => {
  const text = 'if (a < b) return <div>שלום 👩‍👩‍👧</div> // see recollect'
  expect(quoteInjected(text)).toBe(text)
})
