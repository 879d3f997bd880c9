// What is known, since when, and who said so.

import { expect, test } from 'vitest'
import { findBarriers, openApp } from '../support/web-app.ts'

const DAY_MS = 86_400_000

async function openKnown(part = '') {
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
  await app.go(`/known${part}`)
  const fact = (words: string) => app.page.locator('.fact', { hasText: words })
  const choose = async (words: string, action: string) => {
    await fact(words).getByRole('button', { name: 'What to do with' }).click()
    await app.page.getByRole('menuitem', { name: action }).click()
  }
  return { ...app, fact, choose }
}

test('a fact leads to the words that say it', async () => {
  const { page, fact } = await openKnown()
  await fact('vegetarian').locator('.fact-main').click()
  await fact('vegetarian').getByText('Said for the first time').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await fact('vegetarian')
    .getByRole('link', { name: /I live in Berlin/ })
    .click()
  await page.locator('.message', { hasText: 'I am vegetarian' }).waitFor()
  expect(new URL(page.url()).hash).toBe('#m-said-1')
})

test('back in time, what was true then is shown', async () => {
  const { page, fact } = await openKnown()
  await fact('Hamburg').first().waitFor()
  expect(await fact('Hamburg').first().textContent()).toContain('Berlin')
  const slider = page.getByRole('slider', { name: /As of/ })
  await slider.focus()
  await page.keyboard.press('Home')
  await page.getByText('Nothing of that was known then.').waitFor()
  await page.getByRole('button', { name: 'To the change after' }).click()
  await page.locator('.fact-value', { hasText: /^Berlin$/ }).waitFor()
  expect(await page.locator('.fact-value', { hasText: 'Hamburg' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Now', exact: true }).click()
  await page.locator('.fact-value', { hasText: 'Hamburg' }).first().waitFor()
})

test('a fact is corrected, and its history keeps what it said', async () => {
  const { page, fact, choose, memory } = await openKnown()
  await choose('Hamburg', 'Correct it')
  await page.getByLabel('Is', { exact: true }).fill('Hamburg-Altona')
  await page.getByRole('button', { name: 'Save' }).click()
  await fact('Hamburg-Altona').waitFor()
  await fact('Hamburg-Altona').locator('.fact-main').click()
  await fact('Hamburg-Altona').getByText('Changed by hand').waitFor()
  await expect
    .poll(async () => (await memory.facts.list().toArray()).map(({ value }) => value))
    .toContain('Hamburg-Altona')
  await fact('Hamburg-Altona').getByRole('button', { name: 'Take back' }).click()
  await expect.poll(() => fact('Hamburg-Altona').count()).toBe(0)
  await fact('Hamburg').first().waitFor()
})

test('a fact that is not true goes, and comes back when that is undone', async () => {
  const { page, fact, choose, memory } = await openKnown()
  const values = async () => (await memory.facts.list().toArray()).map(({ value }) => value)
  await choose('vegetarian', 'It is not true')
  await expect.poll(() => fact('vegetarian').count()).toBe(0)
  await expect.poll(values).not.toContain('vegetarian')
  await page.getByRole('button', { name: 'Undo' }).click()
  await fact('vegetarian').waitFor()
  await expect.poll(values).toContain('vegetarian')
})

test('a fact is pinned and stays in front; one is added by hand', async () => {
  const { page, fact } = await openKnown()
  await fact('vegetarian').getByRole('button', { name: /^Pin/ }).click()
  await fact('vegetarian').getByText('pinned').waitFor()
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByLabel('What', { exact: true }).fill('shoe size')
  await page.getByLabel('Is', { exact: true }).fill('43')
  await page.getByRole('button', { name: 'Add' }).last().click()
  await fact('shoe size').getByText('added by hand').waitFor()
})

test('names stand with their mentions, and lead to them', async () => {
  const { page } = await openKnown('/entities')
  const ines = page.locator('.known-row', { hasText: 'Ines' })
  await ines.getByRole('button').click()
  await ines.getByRole('link', { name: /My sister Ines/ }).waitFor()
  expect(await findBarriers(page)).toEqual([])
})

test('preferences are told, set, changed and taken away', async () => {
  const { page, memory } = await openKnown('/preferences')
  await page.getByText('short answers').waitFor()
  await page.getByRole('button', { name: 'Set one' }).click()
  await page.getByLabel('Name').fill('units')
  await page.getByLabel('Value').fill('metric')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('metric').waitFor()
  expect((await memory.preferences.get()).values).toEqual({ units: 'metric' })
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Take units away' }).click()
  await page.getByText('None is set.').waitFor()
})

test('notes name their source, and go when they are deleted', async () => {
  const { page, memory, go } = await openKnown('/notes')
  await memory.notes.add({
    text: 'Tram 28E is short until June.',
    source: { url: 'https://example.com/28e', title: 'Works' },
  })
  await go('/known/notes')
  expect(await page.getByRole('link', { name: 'Works' }).getAttribute('rel')).toContain('noopener')
  await page.getByRole('button', { name: 'Delete this note' }).click()
  await page.getByText('No notes').waitFor()
  expect(await memory.notes.list().toArray()).toEqual([])
})

test('a document is dropped in, shows its pieces, and is erased', async () => {
  const { page, memory } = await openKnown('/documents')
  await page.getByText('No documents').waitFor()
  await page.locator('input[type=file]').setInputFiles({
    name: 'packing.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('# Packing\n\nA light jacket for the evenings.'),
  })
  await page.locator('.known-row', { hasText: 'packing.md' }).locator('.known-row-main').click()
  await page.locator('.chunk', { hasText: 'A light jacket' }).waitFor()
  await page.getByText('Every chat sees it.', { exact: true }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Erase packing.md' }).click()
  await page.getByRole('button', { name: 'Erase', exact: true }).click()
  await page.getByText('No documents').waitFor()
  expect((await memory.documents.list()).items).toEqual([])
})
