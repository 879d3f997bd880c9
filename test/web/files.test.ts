// Files: dropped, pasted, active, imported.

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { importFixture } from '../support/import-fixtures.ts'
import { makeZip } from '../support/make-zip.ts'
import { composer, openApp } from '../support/web-app.ts'

interface GivenFile {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
}

const toFile = (name: string, text: string): GivenFile => ({
  name,
  type: 'text/markdown',
  bytes: Buffer.from(text),
})

interface Giving {
  readonly event: 'drop' | 'paste'
  readonly file: GivenFile
}

/** A drop or a paste, as the browser tells the page of it. */
async function give(page: Page, selector: string, { event, file }: Giving): Promise<void> {
  const { name, type, bytes } = file
  const given = { selector, event, name, type, base64: Buffer.from(bytes).toString('base64') }
  await page.evaluate(`(({ selector, event, name, type, base64 }) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    const data = new DataTransfer()
    data.items.add(new File([bytes], name, { type }))
    const element = document.querySelector(selector)
    const options = { bubbles: true, cancelable: true }
    if (event === 'paste') element.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data }))
    else
      for (const step of ['dragenter', 'dragover', 'drop'])
        element.dispatchEvent(new DragEvent(step, { ...options, dataTransfer: data }))
  })(${JSON.stringify(given)})`)
}

test('files are attached by drop and by paste, and another one is made the active one', async () => {
  const { page, go, memory } = await openApp()
  await memory.conversation('trip').record({ role: 'user', content: 'We are in Lisbon in May.' })
  await go('/c/trip')
  await page.locator('.message').first().waitFor()
  const plan = toFile('plan.md', '# Plan\n\nTram 28 at nine.')
  const list = toFile('list.md', '# List\n\nA light jacket.')
  await give(page, '.messages', { event: 'drop', file: plan })
  await page.getByRole('button', { name: 'plan.md', exact: true }).waitFor()
  expect(await page.locator('.drop-veil').count()).toBe(0)
  await give(page, '.composer textarea', { event: 'paste', file: list })
  await page.getByRole('button', { name: 'list.md', exact: true }).waitFor()
  const active = async () => (await memory.page('trip').load()).activeFile?.name
  for (const name of ['plan.md', 'list.md']) {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('menuitem', { name: 'Make it the active file' }).click()
    await page.getByRole('button', { name: `${name}, the active file` }).waitFor()
    await expect.poll(active).toBe(name)
  }
  await page.reload()
  await page.getByRole('button', { name: 'list.md, the active file' }).click()
  await page.getByRole('menuitem', { name: 'No longer the active file' }).click()
  await expect.poll(active).toBeUndefined()
})

test('a file that is dropped on the first page begins a chat, with what was written so far', async () => {
  const { page, go, memory } = await openApp()
  await go('/')
  await composer(page).fill('What does it say about trams?')
  await give(page, '.new-chat', { event: 'drop', file: toFile('plan.md', '# Plan\n\nTram 28 at nine.') })
  await page.getByRole('button', { name: 'plan.md', exact: true }).waitFor()
  expect(await composer(page).inputValue()).toBe('What does it say about trams?')
  await composer(page).press('Enter')
  await page.locator('.message-assistant', { hasText: 'Tram 28 at nine' }).waitFor()
  expect((await memory.documents.list()).items.map(({ name }) => name)).toEqual(['plan.md'])
})

test('an export is dropped, and how far the import is can be seen', async () => {
  const { page, go, memory } = await openApp()
  await go('/import')
  await page.getByText('Drop an export here').waitFor()
  const content = readFileSync(importFixture('chatgpt-conversations.json'))
  const bytes = makeZip([{ name: 'conversations.json', content }])
  await page.evaluate(`(() => {
    window.told = []
    new MutationObserver(() => {
      const text = document.querySelector('.import-actions .field-hint')?.textContent
      if (text) window.told.push(text)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })()`)
  await give(page, '.import-page', {
    event: 'drop',
    file: { name: 'export.zip', type: 'application/zip', bytes },
  })
  await page.getByText('This is an export of ChatGPT.').waitFor()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('It is in.').waitFor()
  const told = await page.evaluate<readonly string[]>('window.told')
  expect(told.some((text) => /^\d+ % read$/.test(text))).toBe(true)
  expect((await memory.conversations.list()).items.length).toBeGreaterThan(0)
})
