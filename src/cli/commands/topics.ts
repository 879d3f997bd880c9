import type { Command } from 'commander'
import type { Topic } from '../../index.ts'
import { clip, dim, formatCount, formatTime, print, printJson, printTable } from '../terminal.ts'
import { needConversation, newCommand, withMemory } from '../with-memory.ts'

export function topicsCommand(): Command {
  return newCommand(
    'topics',
    'List the topics of a conversation, most recently mentioned first, with their strength.',
  )
    .argument('<conversation>', 'id of the conversation')
    .option('--live', 'hide archived topics')
    .addHelpText('after', '\nTo rename, tag, pin, merge or split topics: recollect topic --help')
    .action((id: string, { live = false }: { live?: boolean }, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const all = await (await needConversation(memory, id)).topics.list().toArray()
        const topics = live ? all.filter(({ state }) => state !== 'archived') : all
        if (isJson) return printJson(topics)
        printTopics(topics)
      }),
    )
}

export function printTopics(topics: readonly Topic[]): void {
  if (topics.length === 0) {
    print('No topics yet.')
    return
  }
  printTable([
    ['id', 'title', 'state', 'messages', 'accesses', 'half-life', 'priority', 'last used'],
    ...topics.map(toRow),
  ])
}

function toRow(topic: Topic): readonly string[] {
  const compressed = topic.compressedMessages > 0 ? ` (${topic.compressedMessages} compressed)` : ''
  return [
    topic.id,
    clip((topic.isPinned ? '★ ' : '') + topic.title, 50),
    topic.state,
    formatCount(topic.totalMessages) + compressed,
    formatCount(topic.accessCount),
    `${topic.halfLifeDays} d`,
    topic.priority.toFixed(2),
    formatTime(topic.lastUsedAt),
  ]
}

/** Prints all details of a topic. */
export function printTopic(topic: Topic): void {
  print(
    `${topic.isPinned ? '★ ' : ''}${topic.title}`,
    dim(`id             ${topic.id}`),
    `state          ${topic.state}`,
    `tags           ${topic.tags.length === 0 ? 'none' : topic.tags.join(', ')}`,
    `messages       ${topic.totalMessages} (${topic.activeMessages} active, ${topic.compressedMessages} compressed)`,
    `accesses       ${topic.accessCount}`,
    `memory         ${topic.memoryType}, half-life ${topic.halfLifeDays} days`,
    `priority       ${topic.priority.toFixed(3)} (importance ${topic.importance})`,
    `age            ${formatSpan(topic.ageMs)}, idle for ${formatSpan(topic.idleMs)}`,
  )
}

function formatSpan(ms: number): string {
  const hours = ms / 3_600_000
  if (hours < 1) return `${Math.floor(ms / 60_000)} minutes`
  return hours < 48 ? `${Math.floor(hours)} hours` : `${Math.floor(hours / 24)} days`
}
