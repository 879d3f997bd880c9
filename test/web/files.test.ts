// Files: drop, paste, active file, import.

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { importFixture } from '../support/import-fixtures.ts'
import { makeZip } from '../support/make-zip.ts'
import { composer, openApp } from '../support/web-app.ts'

interface TestFile {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
}

const toFile = (name: string, text: string): TestFile => ({
  name,
  type: 'text/markdown',
  bytes: Buffer.from(text),
})

interface FileEvent {
  readonly event: 'drop' | 'paste'
  readonly file: TestFile
}

/** Dispatches a drop or paste event as the browser would. */
async function sendFile(page: Page, selector: string, { event, file }: FileEvent): Promise<void> {
  const { name, type, bytes } = file
  const payload = { selector, event, name, type, base64: Buffer.from(bytes).toString('base64') }
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
  })(${JSON.stringify(payload)})`)
}

test('files are attached by drop and by paste, and either can be the active file', async () => {
  const { page, go, memory } = await openApp()
  await memory.conversation('trip').record({ role: 'user', content: 'We are in Lisbon in May.' })
  await go('/c/trip')
  await page.locator('.message').first().waitFor()
  const plan = toFile('plan.md', '# Plan\n\nTram 28 at nine.')
  const list = toFile('list.md', '# List\n\nA light jacket.')
  await sendFile(page, '.messages', { event: 'drop', file: plan })
  await page.getByRole('button', { name: 'plan.md (active file)' }).waitFor()
  expect(await page.locator('.drop-veil').count()).toBe(0)
  await sendFile(page, '.composer textarea', { event: 'paste', file: list })
  await page.getByRole('button', { name: 'list.md', exact: true }).waitFor()
  const active = async () => (await memory.page('trip').load()).activeFile?.name
  for (const name of ['plan.md', 'list.md']) {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('menuitem', { name: 'Set as active file' }).click()
    await page.getByRole('button', { name: `${name} (active file)` }).waitFor()
    await expect.poll(active).toBe(name)
  }
  await page.reload()
  await page.getByRole('button', { name: 'list.md (active file)' }).click()
  await page.getByRole('menuitem', { name: 'Unset as active file' }).click()
  await expect.poll(active).toBeUndefined()
})

test('a file dropped on the new chat page starts a chat and keeps the draft', async () => {
  const { page, go, memory } = await openApp()
  await go('/')
  await composer(page).fill('What does it say about trams?')
  await sendFile(page, '.new-chat', { event: 'drop', file: toFile('plan.md', '# Plan\n\nTram 28 at nine.') })
  await page.getByRole('button', { name: 'plan.md (active file)' }).waitFor()
  expect(await composer(page).inputValue()).toBe('What does it say about trams?')
  await composer(page).press('Enter')
  await page.locator('.message-assistant', { hasText: 'Tram 28 at nine' }).waitFor()
  expect((await memory.documents.list()).items.map(({ name }) => name)).toEqual(['plan.md'])
})

test('a dropped export is imported with visible progress', async () => {
  const { page, go, memory } = await openApp()
  await go('/import')
  await page.getByText('Drop an export here').waitFor()
  const content = readFileSync(importFixture('chatgpt-conversations.json'))
  const bytes = makeZip([{ name: 'conversations.json', content }])
  await page.evaluate(`(() => {
    window.progressTexts = []
    new MutationObserver(() => {
      const text = document.querySelector('.import-actions .field-hint')?.textContent
      if (text) window.progressTexts.push(text)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })()`)
  await sendFile(page, '.import-page', {
    event: 'drop',
    file: { name: 'export.zip', type: 'application/zip', bytes },
  })
  await page.getByText('Preview: ChatGPT export').waitFor()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: 'Imported' }).waitFor()
  const progressTexts = await page.evaluate<readonly string[]>('window.progressTexts')
  expect(progressTexts.some((text) => /^\d+% processed$/.test(text))).toBe(true)
  expect((await memory.conversations.list()).items.length).toBeGreaterThan(0)
})
