// Keeps a few phrases out of everything that people read: comments, messages, docs and test names.
//
//   node scripts/check-words.mjs                    fails if a folder has more of them than REMAINING allows
//   node scripts/check-words.mjs src/derive docs    prints file:line for each one in these folders or files
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
  [/^src\/model\/built-in\/words\/\w+-table\.ts$/, 'generated'],
  [/^src\/derive\/topics\/word-classes\.ts$/, 'generated'],
  [/^CHANGELOG\.md$/, 'history'],
  [/^scripts\/check-words\.mjs$/, 'lists the phrases'],
  [/^evals\/.*\.jsonl$/, 'sample data'],
]

/** Single lines that are fine: file, a piece of the line, and the reason. */
const ALLOWED = []

/** Phrases in folders that are not rewritten yet. The numbers may only go down; a folder without one has none. */
const REMAINING = {
  'src/derive': 4, // word lists that contain them
  'src/store': 8, // comments in released migrations
}

const CHECKED = [
  'src',
  'conformance',
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
/** File names of decisions stay as they are. */
const DECISION_LINK = /decisions\/[\w-]+\.md/g
const TEST_FILE = /^test\/|\.test\.tsx?$/
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
        const found = new RegExp(pattern, 'i').exec(line.replace(DECISION_LINK, ''))
        return found === null ? [] : [{ file, line: index + 1, phrase: found[0].trim(), instead }]
      })
    })
}

const folderOf = (file) =>
  file
    .split('/')
    .slice(0, file.startsWith('src/') ? 2 : 1)
    .join('/')

function countByFolder(found) {
  const counts = new Map()
  for (const { file } of found) counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}

function print({ file, line, phrase, instead }) {
  console.error(`${file}:${line}: "${phrase}". Better: ${instead}`)
}

const words = process.argv.slice(2)
const named = words.filter((word) => !word.startsWith('--'))
const files = (named.length > 0 ? named : CHECKED)
  .flatMap((path) => listFiles(join(root, path)))
  .map((path) => relative(root, path))
  .filter((file) => !isSkipped(file))
const found = files.flatMap(findPhrases)
const counts = countByFolder(found)
const allowed = (folder) => (named.length > 0 ? 0 : (REMAINING[folder] ?? 0))
const tooMany = new Set(counts.filter(([folder, count]) => count > allowed(folder)).map(([folder]) => folder))

if (words.includes('--report'))
  for (const [folder, count] of counts) console.log(`${String(count).padStart(5)}  ${folder}`)
else found.filter(({ file }) => tooMany.has(folderOf(file))).forEach(print)
for (const [folder, count] of counts)
  if (named.length === 0 && count < allowed(folder))
    console.log(`${folder} has ${count} left: lower its number in REMAINING`)
console.log(`${found.length} phrases to replace in ${files.length} files`)
if (tooMany.size > 0 && !words.includes('--report')) process.exit(1)
