// Chatting with a model whose output the test controls.

import { expect, test } from 'vitest'
import { chattingModel, pacedModel } from '../support/paced-model.ts'
import { composer, messages, openApp, say, seeSaid } from '../support/web-app.ts'

test('an answer streams in, and a stopped answer is kept', async () => {
  const model = pacedModel()
  const { page, go, memory } = await openApp({ languageModel: model })
  await go('/')
  await say(page, 'Tell me about Sintra.')
  model.give('Sintra has ')
  await seeSaid(page, 'Sintra has')
  model.give('**two palaces** ')
  await page.locator('.message-assistant strong', { hasText: 'two palaces' }).waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Stopped.').waitFor()
  const [conversation] = (await memory.conversations.list()).items
  await expect
    .poll(
      async () =>
        (
          await memory
            .conversation(conversation?.id ?? '')
            .messages.list()
            .toArray()
        ).at(-1)?.content,
    )
    .toContain('Sintra has **two palaces**')
})

test('an answer is regenerated, and an edited question continues in a fork', async () => {
  const model = chattingModel('The first answer.', 'The second answer.', 'The third answer.')
  const { page, go, memory } = await openApp({ languageModel: model })
  await go('/')
  await say(page, 'What is the capital of Portugal?')
  await seeSaid(page, 'The first answer.')
  await messages(page).last().hover()
  await page.getByRole('button', { name: 'Regenerate' }).click()
  await seeSaid(page, 'The second answer.')
  expect(await messages(page).filter({ hasText: 'The first answer.' }).count()).toBe(0)
  const original = page.url()
  await say(page, 'And of Spain?')
  await seeSaid(page, 'The third answer.')
  await page.locator('.message-user').last().hover()
  await page.locator('.message-user').last().getByRole('button', { name: 'Edit and resend' }).click()
  await page.getByRole('textbox', { name: 'Edit message' }).fill('And of France?')
  await page.getByRole('button', { name: 'Send', exact: true }).first().click()
  await seeSaid(page, 'And of France?')
  expect(page.url()).not.toBe(original)
  expect(await messages(page).filter({ hasText: 'And of Spain?' }).count()).toBe(0)
  const { items } = await memory.conversations.list()
  expect(items.some(({ forkedFrom }) => forkedFrom !== undefined)).toBe(true)
})

test('a failing model shows an error, and retrying works', async () => {
  const model = pacedModel()
  const { page, go } = await openApp({ languageModel: model })
  await go('/')
  await say(page, 'Tell me about Cascais.')
  model.give('Cascais lies ')
  await seeSaid(page, 'Cascais lies')
  model.give(new Error('the line is cut'))
  await page.getByText('The answer was interrupted.').waitFor()
  await page.getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  model.give('by the sea.')
  model.end()
  await seeSaid(page, 'by the sea.')
})

test('the draft and the scroll position survive a reload', async () => {
  const { page, go, memory } = await openApp()
  const lines = Array.from({ length: 120 }, (_, i) => ({
    role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `Line number ${i}. ${'More words of it. '.repeat(6)}`,
  }))
  await memory.conversation('long').record(lines)
  await go('/c/long')
  await seeSaid(page, 'Line number 119.')
  await composer(page).fill('half a thought')
  await page.getByRole('region', { name: 'Messages' }).hover()
  await page.mouse.wheel(0, -6000)
  await page.getByRole('button', { name: 'Jump to latest message' }).waitFor()
  await page.waitForTimeout(500)
  const before = await firstSeen(page)
  await page.reload()
  await seeSaid(page, before)
  await expect.poll(() => firstSeen(page)).toBe(before)
  expect(await composer(page).inputValue()).toBe('half a thought')
})

test('two tabs stay in sync', async () => {
  const { page, go, open } = await openApp({ languageModel: chattingModel('It is noted.') })
  await go('/')
  await say(page, 'The meeting is on Tuesday.')
  await seeSaid(page, 'It is noted.')
  const other = await open(page.url())
  await seeSaid(other, 'It is noted.')
  await say(page, 'No, on Wednesday.')
  await seeSaid(other, 'No, on Wednesday.')
})

test('an answer renders code, a table and a formula, and copies as its source', async () => {
  const answer = 'A **word**.\n\n```js\nconst a = 1\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n$x^2$'
  const { page, go } = await openApp({ languageModel: chattingModel(answer) })
  await go('/')
  await say(page, 'Show me.')
  const said = page.locator('.message-assistant')
  await said.locator('strong', { hasText: 'word' }).waitFor()
  await said.locator('pre .hljs-keyword', { hasText: 'const' }).waitFor()
  expect(await said.locator('table td').allTextContents()).toEqual(['1', '2'])
  await said.locator('math msup').waitFor()
  await said.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(answer)
  await said.getByRole('button', { name: 'Copy code' }).click()
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('const a = 1')
})

test('an image is shown on request, and one on another server is never loaded', async () => {
  const { page, go, memory } = await openApp()
  const pixel =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const text = `![dot](${pixel}) ![mark](/favicon.svg) ![spy](https://spy.example/pixel.png)`
  await memory.conversation('pictures').record({ role: 'assistant', content: text })
  await go('/c/pictures')
  const show = page.getByRole('button', { name: /show$/ })
  await expect.poll(() => show.count()).toBe(2)
  expect(await page.locator('.markdown img').count()).toBe(0)
  await show.first().click()
  await show.first().click()
  const loaded = () =>
    page.evaluate("[...document.querySelectorAll('.markdown img')].map((one) => one.naturalWidth > 0)")
  await expect.poll(loaded).toEqual([true, true])
  const link = page.getByRole('link', { name: /spy/ })
  expect(await link.textContent()).toContain('not loaded')
})

test('a chat without memory is marked, and nothing is learned from it', async () => {
  const { page, go, memory } = await openApp()
  await go('/')
  await page.getByRole('button', { name: 'New chat without memory' }).click()
  await say(page, 'My name is Ana and I live in Porto.')
  await page.getByText('memory off').waitFor()
  const [conversation] = (await memory.conversations.list()).items
  expect(conversation?.isMemoryOn).toBe(false)
  expect(await memory.facts.list().toArray()).toEqual([])
})

test('hostile text is shown and does nothing', async () => {
  const { page, go, memory } = await openApp()
  const hostile = [
    '<script>window.broken = 1</script><img src=x onerror="window.broken = 1">',
    '[click](javascript:window.broken=1) and [data](data:text/html,<script>1</script>)',
    '![spy](https://spy.example/pixel.png)',
    `${'x'.repeat(5000)} ${'\u202e'}reversed שלום עולם`,
    '$\\href{javascript:window.broken=1}{x}$ and $\\unknown{'.repeat(3),
    `|a|b|\n|-|-|\n|<b>|${'y'.repeat(500)}|`,
  ]
  await memory
    .conversation('evil')
    .record(hostile.map((content) => ({ role: 'assistant' as const, content })))
  await memory.conversation('evil').record({ role: 'user', content: 'z '.repeat(500_000) })
  await go('/c/evil')
  await page.getByRole('button', { name: 'Show all 1.0 MB' }).waitFor()
  await page.getByRole('region', { name: 'Messages' }).hover()
  await page.mouse.wheel(0, -20_000)
  await seeSaid(page, '<script>window.broken')
  expect(await page.evaluate('window.broken')).toBeUndefined()
  expect(await page.locator('.markdown a[href^="javascript"], .markdown a[href^="data"]').count()).toBe(0)
  expect(await page.locator('.markdown img').count()).toBe(0)
  expect(await page.getByRole('link', { name: 'spy' }).getAttribute('rel')).toBe(
    'noopener noreferrer nofollow',
  )
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect(overflow).toBeLessThanOrEqual(0)
})

async function firstSeen(page: Parameters<typeof say>[0]): Promise<string> {
  const text = await page.evaluate<string>(`(() => {
    const list = document.querySelector('.messages')
    const top = list.getBoundingClientRect().top
    const seen = [...list.querySelectorAll('.message-body')].find((one) => one.getBoundingClientRect().bottom > top + 20)
    return seen?.textContent ?? ''
  })()`)
  return /Line number \d+\./.exec(text)?.[0] ?? ''
}
