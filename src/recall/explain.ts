// For people: why this came up, why that did not.

import type { MessageId } from '../domain/ids.ts'
import type { Explanation, LeftOut, RecallAnswer, Recalled, SearchedWord } from '../domain/recall.ts'

const SHOWN_CHARACTERS = 80
const SHOWN_REASONS = 4
const SHOWN_LEFT_OUT = 5

export function explain(answer: RecallAnswer, about?: MessageId): Explanation {
  return {
    answer,
    lines: [
      ...tellQuestion(answer),
      ...answer.notices.map((notice) => `Note: ${notice}.`),
      ...tellItems(answer),
      ...tellLeftOut(answer),
      ...(about === undefined ? [] : tellAbout(answer, about)),
    ],
  }
}

function tellQuestion({ question, words }: RecallAnswer): readonly string[] {
  const standalone =
    question.standalone === undefined
      ? []
      : [`Searched as: ${question.standalone} (${question.rewrittenBecause}).`]
  if (words.length === 0) return [...standalone, 'The question has no word that tells what it is about.']
  return [
    ...standalone,
    `Words searched for, rarest first: ${[...words].sort(byWeight).map(tellWord).join(', ')}.`,
  ]
}

const byWeight = (one: SearchedWord, other: SearchedWord): number => other.weight - one.weight

function tellWord({ word, messages, weight }: SearchedWord): string {
  if (messages === 0) return `"${word}" (in no message)`
  return `"${word}" (in ${messages}${weight === 0 ? ', too common to tell anything' : ''})`
}

function tellItems({ items }: RecallAnswer): readonly string[] {
  if (items.length === 0) return ['Nothing came up: no message, fact, note or document is like the question.']
  return items.map((item, i) => `${i + 1}. ${nameOf(item)}: ${cut(item.text)} — ${tellReasons(item)}.`)
}

function nameOf({ kind, source, createdAt }: Recalled): string {
  const from = source === undefined ? kind : `${kind} of ${source}`
  return `${from}, ${createdAt.toISOString().slice(0, 10)}`
}

const tellReasons = ({ why }: Pick<Recalled, 'why'>): string =>
  why
    .slice(0, SHOWN_REASONS)
    .map(({ text, score }) => `${text} (${score > 0 ? '+' : ''}${score})`)
    .join(', ')

function tellLeftOut({ leftOut }: RecallAnswer): readonly string[] {
  return leftOut.slice(0, SHOWN_LEFT_OUT).map((one) => `Left out: ${one.kind} ${one.id}, ${tellWhyNot(one)}.`)
}

function tellWhyNot({ reason, why }: LeftOut): string {
  const spoke = why[0] === undefined ? '' : `; for it spoke: ${tellReasons({ why })}`
  return `${reason}${spoke}`
}

function tellAbout({ items, leftOut }: RecallAnswer, about: MessageId): readonly string[] {
  const rank = items.findIndex(({ id }) => id === about)
  if (rank >= 0) return [`The message ${about} came up as number ${rank + 1}.`]
  const out = leftOut.find(({ id }) => id === about)
  if (out !== undefined) return [`The message ${about} did not come up: ${tellWhyNot(out)}.`]
  return [
    `The message ${about} was not looked at: it is not there, outside of what was asked for, or erased.`,
  ]
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= SHOWN_CHARACTERS
    ? `"${line}"`
    : `"${line.slice(0, SHOWN_CHARACTERS).toWellFormed()}…"`
}
