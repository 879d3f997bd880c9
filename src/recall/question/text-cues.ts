// Detects what a text contains: a time, a number, a name, a preference, a question. English, except for digits and
// question marks.

import { multilineRegExp } from '../../domain/multiline-regexp.ts'

const TIME = multilineRegExp('i')`
  \b(?:yesterday|today|tomorrow|tonight|(?:last|next|this) (?:night|week|weekend|month|year|summer|fall|autumn|winter|
  spring|morning|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|ago|recently|(?:mon|tues|wednes|thurs|fri|satur|sun)day|
  january|february|march|april|june|july|august|september|october|november|december|\d{4}|since|
  (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|a few|several|couple of)(?: more)?[ -]
  (?:minute|hour|day|week|month|year)s?)\b`
const NUMBER =
  /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twice|couple|several|dozen|hundred)\b/iu
/** Capitalized, but not at the start of a sentence. */
const CAPITALIZED = /(?<=[^.!?\s"'“]\s["'“]?)(?!I\b|OK\b|BTW\b|LOL\b)\p{Lu}[\p{L}\p{N}]+/gu
const QUOTED = /["“][^"”]{3,60}["”]/
const PREFERENCE = multilineRegExp('i')`
  \bi(?:'d| would)? (?:really |always |usually |generally )?(?:prefer|rather|like (?:to|my|using|when)|
  (?:don't|do not) (?:like|want)|love|enjoy|want to avoid|chose|decided|aim)\b|
  \bi've (?:chosen|decided)|\bmy prefer|\btrying to keep\b`
/** Ignores a closing note in brackets, such as an image caption. */
const QUESTION = /[?？؟]["'”’)]*\s*(?:\[[^\]]*\]\s*)?$/

export const mentionsTime = (text: string): boolean => TIME.test(text)
export const hasNumber = (text: string): boolean => NUMBER.test(text)
export const statesPreference = (text: string): boolean => PREFERENCE.test(text)
export const isQuestion = (text: string): boolean => QUESTION.test(text)

/** A name or a title other than those of the speakers, who address each other by name. */
export function hasName(text: string, speakers: ReadonlySet<string>): boolean {
  return QUOTED.test(text) || text.match(CAPITALIZED)?.some((name) => !speakers.has(name)) === true
}
