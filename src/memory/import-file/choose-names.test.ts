import { expect, test } from 'vitest'
import { chooseNames } from './find-sources.ts'

test.each([
  [
    ['chat.html', 'conversations.json', 'user.json', 'shared_conversations.json', 'message_feedback.json'],
    ['conversations.json'],
  ],
  [
    ['b/conversations-001.json', 'b/conversations-000.json', '__MACOSX/b/._conversations-000.json'],
    ['b/conversations-000.json', 'b/conversations-001.json'],
  ],
  [
    [
      'users.json',
      'projects.json',
      'projects/p.json',
      'memories.json',
      'memories/a.json',
      'conversations.json',
    ],
    ['conversations.json', 'memories.json', 'memories/a.json'],
  ],
  [
    ['b.json', 'a.jsonl.gz', 'c.ndjson', 'readme.md', '.hidden.json', '.git/config.json'],
    ['a.jsonl.gz', 'b.json', 'c.ndjson'],
  ],
  [
    ['memories.json', 'memories.jsonl.gz'],
    ['memories.json', 'memories.jsonl.gz'],
  ],
  [['picture.png'], []],
])('from %j, %j are read', (names, chosen) => {
  expect(chooseNames(names)).toEqual(chosen)
})
