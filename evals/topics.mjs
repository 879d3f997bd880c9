#!/usr/bin/env node
// How well topics are found without a model, on dialogues whose topics are known.
//
//   npx tsc -p tsconfig.build.json && node evals/topics.mjs [--data FOLDER] [--dist FOLDER] [--json]
//
// Two sets give the lengths of a dialogue's segments (DialSeg711, TIAGE); the third gives a topic for each
// message and leaves a topic to come back to it. For each dialogue:
// - Pk: two messages half a segment apart are taken at every place; the share of places where found and
//   known topics disagree on whether a boundary lies between them. Lower is better.
// - WindowDiff: the same, but they must agree on the number of boundaries. Lower is better.
// - boundary F1: of the found boundaries that are exactly right.
// - ARI: how well the grouping of messages agrees with the known one; 0 is chance, 100 is the same.
// - returns: of the messages after the return, those put in the topic that most messages before the leaving
//   were put in.
// Figures are means over dialogues, in percent. The data is not part of the project; do not tune
// constants to it.

import { Console } from 'node:console'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { readOptions } from '../bench/read-options.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const options = readOptions(import.meta.url, {
  data: { type: 'string', default: join(root, '../shared/bench') },
  dist: { type: 'string', default: join(root, 'dist') },
  json: { type: 'boolean', default: false },
})

const terminal = new Console(process.stdout, process.stderr)

const SETS = ['dialseg711', 'tiage', 'returns']
const FIRST_MESSAGE = Date.UTC(2025, 0, 6, 9)
const BETWEEN_MESSAGES_MS = 20_000

async function main() {
  const methods = { ...(await loadMatching()), ...baselines() }
  const table = {}
  for (const set of SETS) {
    const dialogues = readSet(set)
    for (const [name, findTopics] of Object.entries(methods)) {
      table[`${set} · ${name}`] = meanFigures(await scoreAll(dialogues, findTopics))
    }
  }
  if (options.json) terminal.log(JSON.stringify(table))
  else terminal.table(table)
}

function readSet(set) {
  const file = resolve(options.data, `topics-${set}-dev.jsonl.gz`)
  if (!existsSync(file)) {
    stop(`there is no ${file}`, 'name the folder of the benchmark data with --data')
  }
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

async function loadMatching() {
  if (!existsSync(resolve(options.dist, 'index.js'))) {
    stop(`there is no compiled code in ${options.dist}`, 'run `npx tsc -p tsconfig.build.json` first')
  }
  const { openMemory } = await import(pathToFileURL(resolve(options.dist, 'index.js')))
  const memory = await openMemory(':memory:')
  let dialogues = 0
  return {
    // Through the public API, one message at a time, as in a chat.
    'built-in': async (messages) => {
      const conversation = memory.conversation(`dialogue ${dialogues++}`)
      for (const [position, { role, content }] of messages.entries()) {
        const createdAt = new Date(FIRST_MESSAGE + position * BETWEEN_MESSAGES_MS)
        await conversation.record({ id: `${dialogues}:${position}`, role, content, createdAt })
      }
      const found = []
      for await (const topic of conversation.topics.list()) {
        for (const id of topic.messageIds) found[Number(id.split(':')[1])] = topic.id
      }
      return found
    },
  }
}

function baselines() {
  const every = (size) => async (messages) => messages.map((_, position) => Math.floor(position / size))
  return {
    'one topic': every(Number.POSITIVE_INFINITY),
    'every 4': every(4),
    'every 6': every(6),
    'every 8': every(8),
  }
}

async function scoreAll(dialogues, findTopics) {
  const figures = []
  for (const dialogue of dialogues) figures.push(scoreOne(dialogue, await findTopics(dialogue.messages)))
  return figures
}

function scoreOne(dialogue, found) {
  const known = dialogue.labels ?? dialogue.segments.flatMap((length, segment) => Array(length).fill(segment))
  const [knownEdges, foundEdges] = [toEdges(known), toEdges(found)]
  const segmentLength = known.length / (total(knownEdges) + 1)
  const windows = countEdges({ knownEdges, foundEdges, width: Math.max(2, Math.round(segmentLength / 2)) })
  const figures = {
    pk: shareOf(windows, ([one, other]) => one > 0 !== other > 0),
    windowDiff: shareOf(windows, ([one, other]) => one !== other),
    boundaryF1: boundaryF1(knownEdges, foundEdges),
  }
  if (dialogue.labels === undefined) return figures
  return { ...figures, ari: adjustedRand(known, found), returns: returnShare(dialogue, found) }
}

/** 1 before each message whose topic is another than that of the message before it. */
const toEdges = (topics) => topics.slice(1).map((topic, i) => Number(topic !== topics[i]))
const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0)
const shareOf = (items, holds) => (items.length === 0 ? 0 : items.filter(holds).length / items.length)

function countEdges({ knownEdges, foundEdges, width }) {
  const places = Math.max(0, knownEdges.length - width + 1)
  const within = (edges, place) => total(edges.slice(place, place + width))
  return Array.from({ length: places }, (_, place) => [within(knownEdges, place), within(foundEdges, place)])
}

function boundaryF1(knownEdges, foundEdges) {
  const [known, found] = [total(knownEdges), total(foundEdges)]
  if (known + found === 0) return 1
  const right = total(knownEdges.map((edge, i) => edge * foundEdges[i]))
  return (2 * right) / (known + found)
}

function adjustedRand(known, found) {
  const pairs = (count) => (count * (count - 1)) / 2
  const pairsWithin = (keys) => total([...countEach(keys).values()].map(pairs))
  const together = pairsWithin(known.map((topic, i) => `${topic} ${found[i]}`))
  const [inKnown, inFound] = [pairsWithin(known), pairsWithin(found)]
  const byChance = (inKnown * inFound) / pairs(known.length)
  const most = (inKnown + inFound) / 2
  return most === byChance ? 1 : (together - byChance) / (most - byChance)
}

function returnShare({ leaveAt, returnAt }, found) {
  const [[left]] = [...countEach(found.slice(0, leaveAt))].sort(([, one], [, other]) => other - one)
  return shareOf(found.slice(returnAt), (topic) => topic === left)
}

function countEach(keys) {
  const counts = new Map()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

function meanFigures(figures) {
  const names = Object.keys(figures[0])
  const mean = (name) => total(figures.map((figure) => figure[name])) / figures.length
  return Object.fromEntries(names.map((name) => [name, Math.round(mean(name) * 1000) / 10]))
}

function stop(problem, hint) {
  terminal.error(`${problem}\n${hint}`)
  process.exit(1)
}

await main()
