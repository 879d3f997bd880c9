const MARKS: readonly (readonly [RegExp, string])[] = [
  [/!\[([^\]]*)\]\([^)]*\)/g, '$1'],
  [/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1'],
  [/<[^<>]+>/g, ''],
  [/`+([^`]+)`+/g, '$1'],
  [/(\*\*|__|~~)(?=\S)(.+?)\1/g, '$2'],
  [/(^|[^\p{L}\p{N}_*])([*_])(?=\S)([^*_]+)\2(?![\p{L}\p{N}])/gu, '$1$3'],
  [/\\([!-/:-@[-`{-~])/g, '$1'],
]

/** What is longer is no title, and would take its time. */
const LONGEST = 500

/** The words of a heading, without marks and links. */
export function toPlainTitle(markdown: string): string {
  const short = markdown.slice(0, LONGEST).toWellFormed()
  const open = short.replace(/(?:^|[ \t]+)#+[ \t]*$/, '')
  const plain = MARKS.reduce((text, [mark, words]) => text.replace(mark, words), open)
  return plain.replaceAll(/\s+/g, ' ').trim()
}
