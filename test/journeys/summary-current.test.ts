import { expect, test } from 'vitest'
import { openMemory } from '../../src/index.ts'

async function summarize(...texts: readonly string[]): Promise<string> {
  await using memory = await openMemory(':memory:')
  const talk = memory.conversation('talk')
  await talk.record(texts.map((content) => ({ role: 'user' as const, content })))
  return (await talk.summary({ maxTokens: 400 })).text
}

test('a summary contains the current deadline, not the earlier one', async () => {
  const text = await summarize(
    'The grant application is due on 4 March.',
    'We still need two letters of support and a budget table.',
    'The grant application is now due on 18 March.',
  )
  expect(text).toContain('18 March')
  expect(text).not.toContain('4 March.')
})

test('a change that takes two sentences closes the earlier plan', async () => {
  const text = await summarize(
    'The harvest fair is on 9 September at Lindenhof.',
    'Bettina paints the signs and needs six boards for them.',
    'They moved the harvest fair. 16 September, still Lindenhof.',
  )
  expect(text).toContain('Bettina')
  expect(text).not.toMatch(/(?<!\d)9 September/)
})

test('the summary of a long conversation may exceed a quarter of its length', async () => {
  const text = await summarize(...TASKS)
  expect(TASKS.filter((task) => text.includes(task.split(' ')[0] as string)).length).toBeGreaterThan(5)
})

const TASKS = [
  'Abel repairs the church clock until 3 April and needs brass screws for it.',
  'Brunner paints four window frames green, which costs 620 euros altogether.',
  'Cordes orders roof tiles from Passau and pays 1,400 euros in advance.',
  'Dietz borrows a scaffold from the fire brigade for two weeks in June.',
  'Ehlers checks all smoke alarms on Monday and replaces nine batteries.',
  'Falk sews curtains of blue linen, 2.40 metres long, before Whitsun.',
  'Gerber asks the diocese for a permit, file number 88-201, by letter.',
  'Hauk tunes the organ on 12 May together with his daughter Rosalind.',
  'Imhof plants two lime trees beside the gate and waters them daily.',
  'Jansen photographs every fresco for the archive in Regensburg.',
  'Kranz writes the invitation and prints 300 copies at Lindner & Co.',
  'Lorenz cooks goulash for 80 guests and rents a gas stove from Mayr.',
  'Maurer insures the building for 900,000 euros with Barmenia.',
  'Ott builds a ramp of oak for wheelchairs, six metres with a handrail.',
  'Pohl collects donations at the bakery and counts 2,310 euros so far.',
  'Quandt repairs the lightning rod after the storm of 9 February.',
  'Rieger hires a bus for the pensioners of Straubing, departure 8:15.',
  'Seitz restores the altar cloth with silk thread from Lyon.',
  'Thoma measures the damp in the crypt: 18 percent near the north wall.',
  'Ullmann replaces the boiler by a heat pump before the first frost.',
  'Voss translates the leaflet into Czech and Polish for the pilgrims.',
  'Wirth drains the gutter and clears moss from the vestry steps.',
  'Zander guides school classes through the tower on Wednesdays.',
  'Nagel rehearses with the brass band every Thursday at 19:30.',
]
