// Facts against sentences with known facts, and an audit on conversations.
//
//   npx tsc -p tsconfig.build.json --outDir dist
//   node evals/facts.mjs                                      precision and recall on facts-sample.jsonl
//   node evals/facts.mjs --misses                             with every sentence that went wrong
//   node evals/facts.mjs --audit --data ../shared/bench       100 facts with their sentences, to judge by hand
//        [--seed 1] [--count 100] [--set locomo|beam]
//   node evals/facts.mjs --speed --data ../shared/bench       milliseconds a message, facts and entities
//
// A fact counts as found when subject, attribute and action are the same and the value is, apart from case and
// articles. Statements have no attribute to compare: they are counted separately. The sample is our own wording; the conversations of the audit are not part of the project.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readOptions } from '../bench/read-options.mjs'
import { EntityIndex } from '../dist/derive/entities/entity-index.js'
import { findEntities } from '../dist/derive/entities/find-entities.js'
import { extractFacts } from '../dist/derive/facts/extract-facts.js'

const options = readOptions(import.meta.url, {
  audit: { type: 'boolean' },
  speed: { type: 'boolean' },
  entities: { type: 'boolean' },
  misses: { type: 'boolean' },
  data: { type: 'string', default: '../shared/bench' },
  set: { type: 'string' },
  seed: { type: 'string', default: '1' },
  count: { type: 'string', default: '100' },
})

const say = (line) => process.stdout.write(`${line}\n`)

const plain = (value) =>
  (value ?? '')
    .toLowerCase()
    .replace(/^(?:the|a|an) /, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
const keyOf = ({ action = 'state', subject, attribute, value }) =>
  JSON.stringify([action, subject, attribute, plain(value)])

function scoreSample() {
  const rows = readFileSync(new URL('facts-sample.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const byAttribute = new Map()
  const scored = rows.map((row, place) => scoreRow(row, place))
  for (const one of scored)
    for (const key of Object.keys(NONE))
      for (const fact of one[key]) count(byAttribute, fact.attribute)[key]++
  const all = { ...NONE }
  for (const [attribute, one] of [...byAttribute].sort(([left], [right]) => left.localeCompare(right))) {
    for (const key of Object.keys(all)) all[key] += one[key]
    print(attribute, one)
  }
  print('ALL', all)
  const silent = scored.filter(({ expected }) => expected.length === 0)
  const junk = silent.filter(({ found }) => found.length > 0)
  const statements = scored.reduce((sum, one) => sum + one.statements, 0)
  const loose = silent.reduce((sum, one) => sum + one.statements, 0)
  say(`${statements} statements kept, ${loose} of them from messages without a fact to find`)
  say(
    `${rows.length} messages; ${silent.length} with nothing to find, of which ${junk.length} gave something`,
  )
}

const NONE = { found: 0, wrong: 0, expected: 0, missed: 0 }

function scoreRow(row, place) {
  const expected = row.facts.map((fact) => ({ subject: row.name ?? 'user', ...fact }))
  const extracted = extract({ ...row, id: String(place), createdAt: row.at ?? '2026-03-11T10:00:00Z' })
  const found = extracted.filter(({ kind }) => kind !== 'statement')
  const statements = extracted.filter(
    ({ kind, statement }) => kind === 'statement' && !statement.isWeak,
  ).length
  const without = (facts, others) =>
    facts.filter((fact) => !others.some((other) => keyOf(other) === keyOf(fact)))
  const [wrong, missed] = [without(found, expected), without(expected, found)]
  if (options.misses && wrong.length + missed.length > 0) printMisses(row, wrong, missed)
  return { found, wrong, expected, missed, statements }
}

function count(byAttribute, attribute) {
  const family = attribute.replace(/^(favourite|date of|version of) .*/, '$1 …') || 'correction'
  if (!byAttribute.has(family)) byAttribute.set(family, { ...NONE })
  return byAttribute.get(family)
}

function print(name, { found, wrong, expected, missed }) {
  const share = (part, whole) => (whole === 0 ? '   –' : (part / whole).toFixed(2))
  say(
    `${name.padEnd(22)} precision ${share(found - wrong, found)} (${found - wrong}/${found})  recall ${share(expected - missed, expected)} (${expected - missed}/${expected})`,
  )
}

function printMisses(row, wrong, missed) {
  say(`\n  ${row.text}`)
  for (const fact of wrong) say(`    wrong  ${keyOf(fact)}`)
  for (const fact of missed) say(`    missed ${keyOf(fact)}`)
}

function extract(row, isAmongPeople = row.amongPeople === true, participants = row.participants ?? []) {
  const message = { id: row.id, role: row.role ?? 'user', text: row.text, createdAt: new Date(row.createdAt) }
  return extractFacts(row.name === undefined ? message : { ...message, name: row.name }, {
    isAmongPeople,
    participants,
    injected: /<recollect-memory>[\s\S]*?<\/recollect-memory>/g,
  })
}

function readConversations(set) {
  const packed = readFileSync(join(options.data, `recall-${set}-dev.jsonl.gz`))
  return gunzipSync(packed)
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Mulberry32. */
function seeded(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function extractAll(set) {
  const isAmongPeople = set === 'locomo'
  return readConversations(set).flatMap(({ messages }) => {
    const participants = [...new Set(messages.map(({ name }) => name).filter(Boolean))]
    return messages.flatMap((message) =>
      extract({ ...message, id: message.key, text: message.content }, isAmongPeople, participants),
    )
  })
}

function audit(set) {
  const facts = extractAll(set)
  const random = seeded(Number(options.seed))
  const sample = facts
    .map((fact) => ({ fact, order: random() }))
    .sort((left, right) => left.order - right.order)
    .slice(0, Number(options.count))
  say(`\n${set}: ${facts.length} facts, ${sample.length} shown, seed ${options.seed}`)
  for (const [place, { fact }] of sample.entries()) {
    const said = `${fact.saidAt.toISOString().slice(0, 10)} ${fact.evidence.slice(0, 260)}`
    const from = fact.validFrom < fact.saidAt ? ` (from ${fact.validFrom.toISOString().slice(0, 10)})` : ''
    say(
      `${place + 1}\t${fact.action === 'state' ? '' : `[${fact.action}] `}${fact.subject} | ${fact.attribute} | ${fact.value}${from}\n\t${said}`,
    )
  }
}

function auditEntities(set) {
  const random = seeded(Number(options.seed))
  const all = readConversations(set).flatMap(({ id, messages }) => {
    const known = new EntityIndex()
    for (const { content, key } of messages.filter(({ role }) => set === 'locomo' || role === 'user')) {
      for (const entity of findEntities({ id: key, text: content }, known)) known.add(entity)
    }
    return known.all().map((entity) => ({ id, entity, order: random() }))
  })
  const sample = all.sort((left, right) => left.order - right.order).slice(0, Number(options.count))
  say(`\n${set}: ${all.length} entities, ${sample.length} shown, seed ${options.seed}`)
  for (const { entity } of sample)
    say(`${entity.type}\t${entity.name}\t×${entity.mentions}\t${entity.aliases.join(' / ')}`)
}

function measureSpeed(set) {
  const messages = readConversations(set).flatMap((one) =>
    one.messages.filter(({ role }) => set === 'locomo' || role === 'user'),
  )
  const words = messages.reduce((sum, { content }) => sum + content.split(/\s+/).length, 0)
  const rounds = Array.from({ length: 5 }, () => timeRound(messages, set === 'locomo'))
  const best = (key) => Math.min(...rounds.map((round) => round[key])) / messages.length
  const [facts, entities] = [best('facts'), best('entities')]
  const per60 = (60 * messages.length) / words
  say(
    `${set}: ${messages.length} messages of ${(words / messages.length).toFixed(0)} words; best of 5 rounds, ms a message:`,
  )
  say(
    `  facts ${facts.toFixed(3)}, entities ${entities.toFixed(3)}, both for 60 words ${((facts + entities) * per60).toFixed(3)}`,
  )
}

function timeRound(messages, isAmongPeople) {
  const index = new EntityIndex()
  const start = performance.now()
  for (const message of messages)
    extract({ ...message, id: message.key, text: message.content }, isAmongPeople)
  const middle = performance.now()
  for (const { key, content } of messages) {
    for (const entity of findEntities({ id: key, text: content }, index)) index.add(entity)
  }
  return { facts: middle - start, entities: performance.now() - middle }
}

const sets = options.set === undefined ? ['locomo', 'beam'] : [options.set]
if (options.audit) sets.forEach(options.entities ? auditEntities : audit)
else if (options.speed) sets.forEach(measureSpeed)
else scoreSample()
