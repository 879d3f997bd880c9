// Takes what no longer holds out of a statement, so that what is listed as current names no outdated value. The
// values taken out say which older statement is meant.

import { alternatives } from '../../../domain/multiline-regexp.ts'
import { isDateWord, MONTH, readValues, type TypedValue } from './read-values.ts'

interface Current {
  readonly text: string
  readonly replaced: readonly TypedValue[]
}

export function takeOutPast(said: string): Current {
  const { text, replaced } = takeOutParts(said)
  const current = takeOutValues(text)
  return { text: current.text, replaced: [...replaced, ...current.replaced] }
}

const OLD_VALUE = new RegExp(
  `(?:,? (?:and |e |y |und )?(?:not|nicht|no|não|non|pas)(?: (?:on|at|the|in|im|am|el|il|le|o|a|para|pra|zum))? |,? (?:instead of|rather than|statt|anstatt|en vez de|en lugar de|au lieu de|em vez de|invece di|invece del) )(\\d[\\d.,:]*(?: ?(?:k|m|%|€|kg|am|pm))?(?: \\p{L}+)?|the \\d+\\w*|(?:${MONTH})(?!\\p{L}))|\\b(?:from|von|de|da) (\\d[\\d.,:]*|(?:the |dia )?\\d{1,2}(?:st|nd|rd|th)?) (?=(?:to|auf|a|pra|para|à) )`,
  'giu',
)

/** "21 days, not 28", "from 9:30 to 10:00". */
function takeOutValues(said: string): Current {
  const replaced: TypedValue[] = []
  const text = said.replace(OLD_VALUE, (whole, after?: string, from?: string) => {
    const old = after ?? from ?? ''
    const values = readValues(old)
    if (values.length === 0 && isDateWord(old)) values.push({ type: 'date', text: old.toLowerCase() })
    replaced.push(...values)
    return values.length === 0 ? whole : ' '
  })
  return { text: text.replace(/\s{2,}/gu, ' ').trim(), replaced }
}

/** A part of a sentence about how it was. "Before" alone is not enough: it also means "by". */
const PAST_PART = new RegExp(
  `(?<!\\p{L})(?:${alternatives`
  (?:the|my|our|his|her|their) (?:old|former|previous) [^,;:]*(?<!\p{L})(?:was|were|had)|used to|
  (?:was|were|had been) [^,;:]*(?:before|previously|originally)$|(?:previously|formerly|originally) (?:was |it was )?\d|
  (?:vorher|früher|bisher|bislang|ursprünglich) (?:war\w*|hatte\w*|\d)|(?:war\w*|hatte\w*) [^,;:]*(?:vorher|früher|bisher|bislang)$|kostete\w*|
  (?:antes|prima|avant) (?:era\w*|eran|estaba|estava|c'était|était|\d[\d.,]*$)|
  cobraba\w*|costaba\w*|cobrava\w*|custava\w*|costava\w*|coûtait|l'ancien\w* [^,;:]*était`})(?!\\p{L})`,
  'iu',
)

/** "480 a month, the old one was 550". */
function takeOutParts(said: string): Current {
  const parts = said.split(/(?<=[,;:–—])\s+/u)
  const past = parts.filter((part) => PAST_PART.test(part.replace(/[,;:–—\s]+$/u, '')))
  const present = parts.filter((part) => !past.includes(part))
  if (past.length === 0 || readValues(present.join(' ')).length === 0) return { text: said, replaced: [] }
  const text = present.join(' ').replace(/[,;:–—\s]+$/u, '')
  return { text, replaced: past.flatMap((part) => readValues(part)) }
}
