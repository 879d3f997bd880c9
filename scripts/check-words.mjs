// Keeps a few phrases out of everything that people read: comments, messages, docs and test names.
//
//   node scripts/check-words.mjs                    fails and prints file:line for each phrase found
//   node scripts/check-words.mjs src/derive docs    only these folders or files
//   node scripts/check-words.mjs --report           prints counts per folder and never fails
//
// In tests, only comments and names are checked, since the rest is sample data. Lists of exceptions are below.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './setup.mjs'

/** Each phrase with what to write instead. Matched without regard to case. */
const PHRASES = [
  [/\banew\b/, 'again, from scratch'],
  [/\bwhoever\b/, 'name the caller: "callers", "the client", "the operator"'],
  [/\bat hand\b/, 'available, loaded, cached'],
  [/\bin sight\b/, 'visible, in the context window'],
  [
    /\b(?:by|in|of|with|for|the|best|last|first|every|after|than|only) so many\b/,
    'the limit, a maximum of N',
  ],
  [/\b(?:is|are|was|were|be|being|been|not|gets?) told\b/, 'is notified, is printed, is reported, learns'],
  [/\btells? (?:of|so|what|which|whether|how|when|where|who|everything|nothing)\b/, 'reports, returns, says'],
  [
    /\bstands? (?:in|at|on|twice|before|after|beside|there|last|first|above|below|under)\b/,
    'is in, is stored in',
  ],
  [/\bcomes? in\b/, 'is received, is accepted, arrives'],
  [/(?<!there )\bis none\b/, 'is missing, is invalid, does not exist'],
  [/(?:^|[.!?] )besides,? [a-z]/, 'also'],
  [/\bl(?:ies|ay|ie) (?:in|at|on|beside|under|above|below|there|within|outside)\b/, 'is, is stored in'],
  [/\bwhere (?:\w+ ){1,3}lies\b/, 'where … is stored'],
  [/\bof (?:its|their|one's|his) own\b/, 'own: "has its own X", "a separate X"'],
  [/\bgoes on (?:from|with|as|until|where|without|and)\b/, 'continues'],
  [/\bgoes on[.,;:]/, 'continues'],
  [/\b(?:that|which|who) there (?:is|are)\b/, 'all, existing'],
  [/\bto be had\b/, 'available'],
  [/\bis no longer there\b|\bis there no more\b/, 'was deleted, no longer exists'],
  [/\bno bug\b/, 'not a bug'],
  [/\bthe word(?:s)? of the (?:user|message|model|owner)\b/, 'the text of …'],
]

/** Files that are not checked, each with its reason. */
const SKIPPED = [
  [/(?:^|\/)(?:node_modules|dist|fixtures)\//, 'not written here, or test data'],
  [/^docs\/decisions\//, 'decisions are never edited, only superseded'],
  [/^docs\/reference\//, 'generated from source, which is checked'],
  [/^CHANGELOG\.md$/, 'history'],
  [/^scripts\/check-words\.mjs$/, 'lists the phrases'],
  [/^evals\/.*\.jsonl$/, 'sample data'],
]

/** Single lines that are fine: file, a piece of the line, and the reason. */
const ALLOWED = []

const CHECKED = [
  'src',
  'web',
  'docs',
  'test',
  'scripts',
  'bench',
  'evals',
  'examples',
  'README.md',
  'CONTRIBUTING.md',
]
const ENDINGS = /\.(?:ts|tsx|mjs|md|html|sql|c)$/
const TEST_FILE = /^test\/|\.(?:test|arbitrary)\.tsx?$/
/** A comment, or the name of a test or of a group of tests. */
const COMMENT_OR_NAME = /^\s*(?:\/\/|\/?\*)|\s\/\/ |\b(?:it|test|describe)(?:\.\w+)*\(|^\s*name: /

function listFiles(path) {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .flatMap(({ name }) => listFiles(join(path, name)))
}

const isSkipped = (file) => !ENDINGS.test(file) || SKIPPED.some(([pattern]) => pattern.test(file))

const isAllowed = (file, line) => ALLOWED.some(([path, piece]) => path === file && line.includes(piece))

function findPhrases(file) {
  const isTest = TEST_FILE.test(file)
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if ((isTest && !COMMENT_OR_NAME.test(line)) || isAllowed(file, line)) return []
      return PHRASES.flatMap(([pattern, instead]) => {
        const found = new RegExp(pattern, 'i').exec(line)
        return found === null ? [] : [{ file, line: index + 1, phrase: found[0].trim(), instead }]
      })
    })
}

function printCounts(found) {
  const counts = new Map()
  for (const { file } of found) {
    const folder = file
      .split('/')
      .slice(0, file.startsWith('src/') ? 2 : 1)
      .join('/')
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  for (const [folder, count] of [...counts].sort((a, b) => b[1] - a[1]))
    console.log(`${String(count).padStart(5)}  ${folder}`)
}

const words = process.argv.slice(2)
const isReport = words.includes('--report')
const named = words.filter((word) => !word.startsWith('--'))
const files = (named.length > 0 ? named : CHECKED)
  .flatMap((path) => listFiles(join(root, path)))
  .map((path) => relative(root, path))
  .filter((file) => !isSkipped(file))
const found = files.flatMap(findPhrases)

if (isReport) printCounts(found)
else
  for (const { file, line, phrase, instead } of found)
    console.error(`${file}:${line}: "${phrase}". Better: ${instead}`)
console.log(`${found.length} phrases to replace in ${files.length} files`)
if (found.length > 0 && !isReport) process.exit(1)
