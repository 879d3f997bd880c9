import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/index.ts'

/** Records each chat one message an hour, and returns the texts recalled for the question, best first. */
async function ask(chat: readonly string[], question: string): Promise<readonly string[]> {
  await using memory = await openMemory(':memory:')
  const talk = memory.conversation('talk')
  await talk.record(
    chat.map((content, i) => ({
      role: 'user' as const,
      content,
      createdAt: new Date(Date.UTC(2026, 4, 1, i)).toISOString(),
    })),
  )
  const { items } = await memory.recall(question, { limit: 5 })
  return items.map(({ text }) => text)
}

const SMALL_TALK = [
  'It rained all day and the dog refused to go out.',
  'I finished the second season of that detective series.',
  'Supermarket was packed, I forgot the oat milk again.',
]

describe('something that changed', () => {
  it.each([
    [
      'Which gate does the night train leave from?',
      'The night train leaves from gate 14, says the Bahn app.',
      'Scrap that, they put us on gate 3 instead of gate 14.',
    ],
    [
      'Who teaches the pottery course?',
      'The pottery course is taught by Ludmila, a friend of my aunt.',
      'Ludmila is leaving, so Benno takes over from the second evening.',
    ],
    [
      'Wer repariert unsere Heizung?',
      'Unsere Heizung repariert Herr Olbrich, der kommt immer sofort.',
      'Herr Olbrich geht in Rente, jetzt macht das Frau Sarikaya.',
    ],
    [
      '¿Qué día es la cena de empresa?',
      'La cena de empresa es el 12 de diciembre en el Mesón Arriero.',
      'Han cambiado lo del Mesón Arriero, será el 19 de diciembre.',
    ],
  ])('ranks before the value that it replaces: %s', async (question, before, after) => {
    const texts = await ask([before, ...SMALL_TALK, after], question)
    expect(texts.indexOf(after)).toBeGreaterThanOrEqual(0)
    expect(texts.indexOf(after)).toBeLessThan(texts.indexOf(before))
  })

  it('comes first even if both were recorded at the same time', async () => {
    await using memory = await openMemory(':memory:')
    const createdAt = '2026-05-01T08:00:00Z'
    const contents = [
      'The wedding is in the barn at Hollow Farm.',
      'Hollow Farm fell through, we celebrate at the Old Mill in Wells.',
      'The shoes have arrived.',
    ]
    await memory
      .conversation('talk')
      .record(contents.map((content) => ({ role: 'user' as const, content, createdAt })))
    const { items } = await memory.recall('Where is the wedding?', { limit: 5 })
    expect(items[0]?.text).toContain('Old Mill')
  })

  it('is found even if it shares no word with the question', async () => {
    const before = 'Grandma turns ninety and we celebrate in the orangery at Wells, some 30 guests.'
    const after = "The orangery fell through, flooded! We're having it at the Swan in Glastonbury."
    const texts = await ask([before, ...SMALL_TALK, after], 'Where does grandma celebrate?')
    expect(texts.slice(0, 2)).toEqual([after, before])
  })

  it('ranks after the value that it replaces if the question asks for the first state', async () => {
    const before = 'The night train leaves from gate 14, says the Bahn app.'
    const after = 'Scrap that, they put us on gate 3 instead of gate 14.'
    const texts = await ask([before, ...SMALL_TALK, after], 'Which gate was the night train originally on?')
    expect(texts[0]).toBe(before)
  })

  it('is not mixed up with a change of something else that the same message mentions', async () => {
    const course =
      'The pottery course begins at seven in the old dairy. Ludmila lends me her kiln until June.'
    const changed = 'Ludmila sold her kiln, so from now on I fire the bowls at Benno’s school on Fridays.'
    const texts = await ask([course, ...SMALL_TALK, changed], 'When does the pottery course begin?')
    expect(texts[0]).toBe(course)
  })

  it('may be anything that the same message mentions if the question asks for the present state', async () => {
    const before = 'We rehearse at the chapel. Ludmila plays the organ, she has the key.'
    const after = 'Ludmila moved to Kraków, so Benno has the key and plays the organ.'
    const texts = await ask([before, ...SMALL_TALK, after], 'Who is at the chapel rehearsals these days?')
    expect(texts.slice(0, 2)).toEqual([after, before])
  })

  it('does not come before what the assistant said, if the question asks for that', async () => {
    await using memory = await openMemory(':memory:')
    await memory.conversation('talk').record([
      { role: 'user', content: 'Aphids are all over the roses by the gate, what can I do?' },
      {
        role: 'assistant',
        content: 'Spray the roses with soapy water every other evening, the gate as well.',
      },
      ...SMALL_TALK.map((content) => ({ role: 'user' as const, content })),
      {
        role: 'user',
        content: 'The roses are sold, I moved to Wells with 40 euros, so the gate stays shut.',
      },
    ])
    const { items } = await memory.recall('What did you recommend for the roses by the gate?', { limit: 5 })
    expect(items[0]?.text).toContain('soapy water')
  })

  it('is not mixed up with another change', async () => {
    const ferry = 'The ferry to Hven leaves at 9:15 from the south pier.'
    const changed = 'We switched the dentist, now it is Doctor Maurer at 11.'
    const texts = await ask([ferry, ...SMALL_TALK, changed], 'When does the ferry to Hven leave?')
    expect(texts[0]).toBe(ferry)
  })
})
