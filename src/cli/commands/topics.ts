import type { Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { type ConversationMemory, MemoryError, type Topic, type TopicChanges } from '../../index.ts'
import { collect, toShare } from '../arguments.ts'
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
function printTopic(topic: Topic): void {
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

export function topicCommand(): Command {
  return newCommand(
    'topic',
    'Show a topic, or rename, merge, split and restore topics. Changes survive a rebuild.',
  )
    .addCommand(showTopic())
    .addCommand(changeTopic())
    .addCommand(mergeTopics())
    .addCommand(splitTopic())
    .addCommand(moveMessage())
    .addCommand(restoreTopic())
}

/** Runs `work` on a conversation and prints the resulting topic. */
function withTopic(command: Command, id: string, work: (chat: ConversationMemory) => Promise<Topic>) {
  return withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
    const topic = await work(await needConversation(memory, id))
    if (isJson) printJson(topic)
    else printTopic(topic)
  })
}

function showTopic(): Command {
  return newCommand('show', 'Show a topic with its statistics and its summary.')
    .argument('<conversation>', 'id of the conversation')
    .argument('<topic>', 'id of the topic')
    .action((id: string, topicId: string, _flags: object, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const chat = await needConversation(memory, id)
        const topic = await chat.topics.get(topicId)
        if (topic === undefined)
          throw new MemoryError('not-found', `there is no topic "${topicId}" in "${id}"`)
        const summary = await chat.topics.summary(topicId)
        if (isJson) return printJson({ ...topic, summary })
        printTopic(topic)
        if (summary.text !== '') print('', summary.text)
      }),
    )
}

interface ChangeFlags {
  readonly title?: string
  readonly autoTitle?: boolean
  readonly tag?: readonly string[]
  readonly tags?: boolean
  readonly importance?: number
  readonly pin?: boolean
}

function changeTopic(): Command {
  return newCommand('change', 'Change the title, tags, importance or pin of a topic.')
    .argument('<conversation>', 'id of the conversation')
    .argument('<topic>', 'id of the topic')
    .option('--title <title>', 'set the title')
    .option('--auto-title', 'remove the title you set and use an automatic one')
    .option('--tag <tag>', 'replace the tags; repeat for several', collect)
    .option('--no-tags', 'remove all tags')
    .option('--importance <number>', 'importance from 0 to 1', toShare)
    .option('--pin', 'never archive it')
    .option('--no-pin', 'allow archiving again')
    .addHelpText('after', '\nExample:\n  recollect topic change trip m17 --title "Where to eat" --pin')
    .action((id: string, topicId: string, flags: ChangeFlags, command: Command) =>
      withTopic(command, id, (chat) => chat.topics.update(topicId, toChanges(flags, command))),
    )
}

function toChanges(flags: ChangeFlags, command: Command): TopicChanges {
  const isSet = (name: string) => command.getOptionValueSource(name) === 'cli'
  return {
    ...definedFields({ title: flags.title, tags: flags.tag, importance: flags.importance }),
    ...(flags.autoTitle && { title: null }),
    ...(isSet('tags') && flags.tags === false && { tags: [] }),
    ...(isSet('pin') && flags.pin !== undefined && { isPinned: flags.pin }),
  }
}

function mergeTopics(): Command {
  return newCommand('merge', 'Merge one topic into another.')
    .argument('<conversation>', 'id of the conversation')
    .argument('<into>', 'id of the topic to keep')
    .argument('<from>', 'id of the topic to merge into it')
    .action((id: string, into: string, from: string, ...[, command]: [object, Command]) =>
      withTopic(command, id, (chat) => chat.topics.merge(into, from)),
    )
}

function splitTopic(): Command {
  return newCommand('split', 'Split messages of a topic into a new topic.')
    .argument('<conversation>', 'id of the conversation')
    .argument('<messages...>', 'ids of the messages')
    .action((id: string, messages: readonly string[], _flags: object, command: Command) =>
      withTopic(command, id, (chat) => chat.topics.split(messages)),
    )
}

function moveMessage(): Command {
  return newCommand('move', 'Move a message to another topic.')
    .argument('<conversation>', 'id of the conversation')
    .argument('<message>', 'id of the message')
    .argument('<topic>', 'id of the topic')
    .action((id: string, message: string, topic: string, ...[, command]: [object, Command]) =>
      withTopic(command, id, (chat) => chat.topics.moveMessage(message, topic)),
    )
}

function restoreTopic(): Command {
  return newCommand('restore', 'Restore a faded topic to full strength.')
    .argument('<conversation>', 'id of the conversation')
    .argument('<topic>', 'id of the topic')
    .option('--undo', 'undo the last restore')
    .action((id: string, topicId: string, flags: { readonly undo?: boolean }, command: Command) =>
      withTopic(command, id, (chat) =>
        flags.undo ? chat.topics.undoRestore(topicId) : chat.topics.restore(topicId),
      ),
    )
}
