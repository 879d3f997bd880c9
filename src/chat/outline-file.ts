// A short description of a file without a model: of a table its columns and first rows, of a text the first sentence of
// each section, or of each paragraph where there are no headings.

import { splitSentences } from '../derive/summaries/split-sentences.ts'

export interface OpenedFile {
  readonly name: string
  readonly format: string
  readonly updatedAt: Date
  readonly text: string
}

const MAX_PARTS = 12
const MAX_PART_CHARACTERS = 240
const FIRST_ROWS = 3
/** A book is described by its beginning. */
const READ_CHARACTERS = 200_000

export function outlineFile({ format, text }: Pick<OpenedFile, 'format' | 'text'>): string {
  const read = text.slice(0, READ_CHARACTERS)
  if (format === 'csv') return outlineTable(read.split('\n').filter((line) => line.trim() !== ''))
  const sections = readSections(read)
  const parts = sections.some(({ heading }) => heading !== '')
    ? sections.map(({ heading, paragraphs: [first = ''] }) => joinParts(heading, firstSentence(first)))
    : sections.flatMap(({ paragraphs }) => paragraphs.map(firstSentence))
  return parts
    .filter((part) => part !== '')
    .slice(0, MAX_PARTS)
    .map((part) => `- ${part}`)
    .join('\n')
}

const outlineTable = (lines: readonly string[]): string =>
  [`${Math.max(0, lines.length - 1)} rows`, ...lines.slice(0, 1 + FIRST_ROWS)].join('\n')

interface Section {
  /** Empty before the first heading. */
  readonly heading: string
  readonly paragraphs: readonly string[]
}

function readSections(text: string): readonly Section[] {
  return text.split(/^(?=#{1,6}\s)/mu).map((section) => {
    const [, heading = '', body = ''] = /^(?:#{1,6}\s+([^\n]*)\n?)?([\s\S]*)$/u.exec(section) ?? []
    const paragraphs = body.split(/\n\s*\n/).map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
    return { heading: heading.trim(), paragraphs: paragraphs.filter((paragraph) => paragraph !== '') }
  })
}

const joinParts = (heading: string, sentence: string): string =>
  [heading, sentence].filter((part) => part !== '').join(': ')

function firstSentence(paragraph: string): string {
  const sentence = splitSentences(paragraph)[0]?.text ?? paragraph
  const characters = [...sentence]
  return characters.length <= MAX_PART_CHARACTERS
    ? sentence
    : `${characters.slice(0, MAX_PART_CHARACTERS - 1).join('')}…`
}

const ASKS_FOR_SUMMARY =
  /(?<!\p{L})(?:summar\p{L}+|overview|zusammenfass\p{L}*|fass\p{L}*\s.*\bzusammen|überblick|resum\p{L}+|résum\p{L}+|riassu\p{L}+)(?!\p{L})|\bwhat(?:['’]s| is| does)(?: in| this| the) (?:this|the|file|document)\b/iu

/** Whether a question asks for the file as a whole, not for something in it. */
export const asksForSummary = (question: string): boolean => ASKS_FOR_SUMMARY.test(question)
