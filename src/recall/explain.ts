// Explains an answer to people: why an item was found, and why another was not.

import type { MessageId } from '../domain/ids.ts'
import type { Explanation, LeftOut, RecallAnswer, Recalled, SearchedWord } from '../domain/recall.ts'

const SHOWN_CHARACTERS = 80
const SHOWN_REASONS = 4
const SHOWN_LEFT_OUT = 5

export function explain(answer: RecallAnswer, about?: MessageId): Explanation {
  return {
    answer,
    lines: [
      ...describeQuestion(answer),
      ...answer.notices.map((notice) => `Note: ${notice}.`),
      ...describeItems(answer),
      ...describeLeftOut(answer),
      ...(about === undefined ? [] : describeMessage(answer, about)),
    ],
  }
}

function describeQuestion({ question, words }: RecallAnswer): readonly string[] {
  const standalone =
    question.standalone === undefined
      ? []
      : [`Searched as: ${question.standalone} (${question.rewrittenBecause}).`]
  if (words.length === 0) return [...standalone, 'The question has no specific words to search for.']
  return [
    ...standalone,
    `Words searched for, rarest first: ${[...words].sort(byWeight).map(describeWord).join(', ')}.`,
  ]
}

const byWeight = (one: SearchedWord, other: SearchedWord): number => other.weight - one.weight

function describeWord({ word, messages, weight }: SearchedWord): string {
  if (messages === 0) return `"${word}" (in no message)`
  return `"${word}" (in ${messages}${weight === 0 ? ', too common to matter' : ''})`
}

function describeItems({ items }: RecallAnswer): readonly string[] {
  if (items.length === 0)
    return ['Nothing found: no message, fact, note or document is similar to the question.']
  return items.map((item, i) => `${i + 1}. ${nameOf(item)}: ${cut(item.text)} — ${listReasons(item)}.`)
}

function nameOf({ kind, source, createdAt }: Recalled): string {
  const from = source === undefined ? kind : `${kind} of ${source}`
  return `${from}, ${createdAt.toISOString().slice(0, 10)}`
}

const listReasons = ({ why }: Pick<Recalled, 'why'>): string =>
  why
    .slice(0, SHOWN_REASONS)
    .map(({ text, score }) => `${text} (${score > 0 ? '+' : ''}${score})`)
    .join(', ')

function describeLeftOut({ leftOut }: RecallAnswer): readonly string[] {
  return leftOut
    .slice(0, SHOWN_LEFT_OUT)
    .map((one) => `Left out: ${one.kind} ${one.id}, ${describeWhyNot(one)}.`)
}

function describeWhyNot({ reason, why }: LeftOut): string {
  const inFavour = why[0] === undefined ? '' : `; in its favour: ${listReasons({ why })}`
  return `${reason}${inFavour}`
}

function describeMessage({ items, leftOut }: RecallAnswer, about: MessageId): readonly string[] {
  const rank = items.findIndex(({ id }) => id === about)
  if (rank >= 0) return [`The message ${about} was found at rank ${rank + 1}.`]
  const out = leftOut.find(({ id }) => id === about)
  if (out !== undefined) return [`The message ${about} was left out: ${describeWhyNot(out)}.`]
  return [
    `The message ${about} was not considered: it does not exist, was erased, or is outside the requested scope.`,
  ]
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= SHOWN_CHARACTERS
    ? `"${line}"`
    : `"${line.slice(0, SHOWN_CHARACTERS).toWellFormed()}…"`
}
