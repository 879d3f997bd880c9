// The chat over HTTP, read by the AI SDK itself.

import { AbstractChat, type ChatState, type ChatStatus, DefaultChatTransport, type UIMessage } from 'ai'
import { describe, expect, test } from 'vitest'
import { type Memory, type Message, readableText, stampOf } from '../../src/index.ts'
import { scriptedModel } from '../../src/model/scripted/testing.ts'
import { serveTemporary } from '../support/http-server.ts'

/** What `useChat` keeps in React, kept in fields. */
class PlainState implements ChatState<UIMessage> {
  status: ChatStatus = 'ready'
  error: Error | undefined = undefined
  messages: UIMessage[] = []
  pushMessage = (message: UIMessage) => void this.messages.push(message)
  popMessage = () => void this.messages.pop()
  replaceMessage = (index: number, message: UIMessage) => {
    this.messages[index] = message
  }
  snapshot = <T>(thing: T): T => structuredClone(thing)
}

/** The class behind `useChat`, as it comes. */
class PlainChat extends AbstractChat<UIMessage> {
  constructor(url: string, id = 'trip') {
    const transport = new DefaultChatTransport({ api: `${url}/api/conversations/${id}/chat` })
    super({ id, state: new PlainState(), transport })
  }
}

const textOf = ({ parts }: UIMessage): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

const recordOf = async (memory: Memory, id = 'trip'): Promise<readonly string[]> =>
  (await memory.conversation(id).messages()).map(
    ({ role, content }: Message) => `${role}: ${readableText(content)}`,
  )

describe('useChat as it comes', () => {
  test('sends, and shows what is recorded under the same ids', async () => {
    const { server, memory } = await serveTemporary({}, { languageModel: scriptedModel(['At the market.']) })
    const chat = new PlainChat(server.url)
    await chat.sendMessage({ text: 'Where should we eat?' })
    expect(chat.error).toBeUndefined()
    expect(chat.messages.map((message) => `${message.role}: ${textOf(message)}`)).toEqual([
      'user: Where should we eat?',
      'assistant: At the market.',
    ])
    expect(await recordOf(memory)).toEqual(['user: Where should we eat?', 'assistant: At the market.'])
    const [asked, answered] = await memory.conversation('trip').messages()
    expect(chat.messages.map(({ id }) => id)).toEqual([asked?.id, answered?.id])
    expect(chat.messages[1]?.metadata).toMatchObject({ recollect: stampOf(answered as Message), position: 1 })
  })
})
