// The memory page: facts, people and things, preferences, notes, documents.

import { expect, test } from 'vitest'
import { findBarriers, openApp } from '../support/web-app.ts'

const DAY_MS = 86_400_000

async function openMemoryPage(part = '') {
  const app = await openApp()
  const { memory } = app
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS)
  await memory.conversation('trip').getOrCreate({ title: 'A week in Lisbon' })
  await memory.conversation('trip').record([
    { id: 'said-1', role: 'user', content: 'I live in Berlin. I am vegetarian.', createdAt: ago(60) },
    { id: 'said-2', role: 'assistant', content: 'Noted.', createdAt: ago(60) },
    {
      id: 'said-3',
      role: 'user',
      content: 'I moved to Hamburg. My sister Ines lives in Porto.',
      createdAt: ago(10),
    },
    { id: 'said-4', role: 'user', content: 'I prefer short answers.', createdAt: ago(9) },
  ])
  await app.go(`/memory${part}`)
  const fact = (words: string) => app.page.locator('.fact', { hasText: words })
  const choose = async (words: string, action: string) => {
    await fact(words).getByRole('button', { name: 'Actions for' }).click()
    await app.page.getByRole('menuitem', { name: action }).click()
  }
  return { ...app, fact, choose }
}

test('a fact links to its source message', async () => {
  const { page, fact } = await openMemoryPage()
  await fact('vegetarian').locator('.fact-main').click()
  await fact('vegetarian').getByText('First mentioned').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await fact('vegetarian')
    .getByRole('link', { name: /I live in Berlin/ })
    .click()
  await page.locator('.message', { hasText: 'I am vegetarian' }).waitFor()
  expect(new URL(page.url()).hash).toBe('#m-said-1')
})

test('the time slider shows the facts that were valid then', async () => {
  const { page, fact } = await openMemoryPage()
  await fact('Hamburg').first().waitFor()
  expect(await fact('Hamburg').first().textContent()).toContain('Berlin')
  const slider = page.getByRole('slider', { name: /As of/ })
  await slider.focus()
  await page.keyboard.press('Home')
  await page.getByText('No matching facts.').waitFor()
  await page.getByRole('button', { name: 'Next change' }).click()
  await page.locator('.fact-value', { hasText: /^Berlin$/ }).waitFor()
  expect(await page.locator('.fact-value', { hasText: 'Hamburg' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Now', exact: true }).click()
  await page.locator('.fact-value', { hasText: 'Hamburg' }).first().waitFor()
})

test('an edited fact keeps its earlier value in its history', async () => {
  const { page, fact, choose, memory } = await openMemoryPage()
  await choose('Hamburg', 'Edit…')
  await page.getByLabel('Value', { exact: true }).fill('Hamburg-Altona')
  await page.getByRole('button', { name: 'Save' }).click()
  await fact('Hamburg-Altona').waitFor()
  await fact('Hamburg-Altona').locator('.fact-main').click()
  await fact('Hamburg-Altona').getByText('Edited').waitFor()
  await expect
    .poll(async () => (await memory.facts.list().toArray()).map(({ value }) => value))
    .toContain('Hamburg-Altona')
  await fact('Hamburg-Altona').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => fact('Hamburg-Altona').count()).toBe(0)
  await fact('Hamburg').first().waitFor()
})

test('a fact marked as wrong disappears, and comes back with undo', async () => {
  const { page, fact, choose, memory } = await openMemoryPage()
  const values = async () => (await memory.facts.list().toArray()).map(({ value }) => value)
  await choose('vegetarian', 'Mark as wrong')
  await expect.poll(() => fact('vegetarian').count()).toBe(0)
  await expect.poll(values).not.toContain('vegetarian')
  await page.getByRole('button', { name: 'Undo' }).click()
  await fact('vegetarian').waitFor()
  await expect.poll(values).toContain('vegetarian')
})

test('a fact is pinned, and another is added manually', async () => {
  const { page, fact } = await openMemoryPage()
  await fact('vegetarian').getByRole('button', { name: /^Pin/ }).click()
  await fact('vegetarian').getByText('pinned').waitFor()
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByLabel('Detail', { exact: true }).fill('shoe size')
  await page.getByLabel('Value', { exact: true }).fill('43')
  await page.getByRole('button', { name: 'Add' }).last().click()
  await fact('shoe size').getByText('added manually').waitFor()
})

test('people and things are listed with mentions that link to messages', async () => {
  const { page } = await openMemoryPage('/entities')
  const ines = page.locator('.memory-row', { hasText: 'Ines' })
  await ines.getByRole('button').click()
  await ines.getByRole('link', { name: /My sister Ines/ }).waitFor()
  expect(await findBarriers(page)).toEqual([])
})

test('preferences come from chats, and are added and deleted manually', async () => {
  const { page, memory } = await openMemoryPage('/preferences')
  await page.getByText('short answers').waitFor()
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByLabel('Name').fill('units')
  await page.getByLabel('Value').fill('metric')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('metric').waitFor()
  expect((await memory.preferences.get()).values).toEqual({ units: 'metric' })
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Delete units' }).click()
  await page.getByText('None set.').waitFor()
})

test('a memory block is added, edited, undone and deleted', async () => {
  const { page, memory } = await openMemoryPage('/blocks')
  await page.getByText('No memory blocks yet').waitFor()
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByLabel('Name').fill('profile')
  await page.getByLabel('Text').fill('Sings in a choir.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Sings in a choir.').waitFor()
  await page.getByRole('button', { name: 'Edit profile' }).click()
  await page.getByLabel('Text').fill('Conducts a choir.')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Conducts a choir.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Undo profile' }).click()
  await page.getByText('Sings in a choir.').waitFor()
  expect((await memory.blocks.get('profile'))?.text).toBe('Sings in a choir.')
  await page.getByRole('button', { name: 'Delete profile' }).click()
  await page.getByText('No memory blocks yet').waitFor()
})

test('a note names its source and can be deleted', async () => {
  const { page, memory, go } = await openMemoryPage('/notes')
  await memory.notes.add({
    text: 'Tram 28E is short until June.',
    source: { url: 'https://example.com/28e', title: 'Works' },
  })
  await go('/memory/notes')
  expect(await page.getByRole('link', { name: 'Works' }).getAttribute('rel')).toContain('noopener')
  await page.getByRole('button', { name: 'Delete note' }).click()
  await page.getByText('No notes yet').waitFor()
  expect(await memory.notes.list().toArray()).toEqual([])
})

test('a document is added, shows its passages and is deleted', async () => {
  const { page, memory } = await openMemoryPage('/documents')
  await page.getByText('No documents yet').waitFor()
  await page.locator('input[type=file]').setInputFiles({
    name: 'packing.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('# Packing\n\nA light jacket for the evenings.'),
  })
  await page.locator('.memory-row', { hasText: 'packing.md' }).locator('.memory-row-main').click()
  await page.locator('.chunk', { hasText: 'A light jacket' }).waitFor()
  await page.getByText('Available to every chat.', { exact: true }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Delete packing.md' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('No documents yet').waitFor()
  expect((await memory.documents.list()).items).toEqual([])
})
