import { describe, expect, test } from 'vitest'
import { makeDocx, makeZip, paragraph, table } from '../../../../test/support/documents/make-docx.ts'
import { column, makePdf } from '../../../../test/support/documents/make-pdf.ts'
import type { DocumentText } from '../../../domain/document.ts'
import { Pace } from '../pace.ts'
import { readDocx } from './read-docx.ts'
import { readPdf } from './read-pdf.ts'

const source = (name: string, bytes: Uint8Array) => ({ name, bytes, pace: new Pace(), maxBytes: 1_000_000 })
const show = ({ text, blocks }: DocumentText) =>
  blocks.map(({ kind, start, end }) => [kind, text.slice(start, end)])

describe('PDF', () => {
  const read = (bytes: Uint8Array) => readPdf(source('mills.pdf', bytes))

  test('lines become paragraphs, broken words are mended, large lines are headings', async () => {
    const pdf = makePdf([
      [
        { text: 'Mills', size: 24, y: 780 },
        ...column(['Old mills turn slowly, since the wa-', 'ter comes from far away (mostly).'], 740),
        ...column(['A second paragraph.'], 690),
        { text: 'Wheels', size: 16, y: 650 },
        ...column(['They are round, and go on to the'], 630),
      ],
      column(['next page.', '- one', '- two'], 780),
    ])
    expect(show(await read(pdf))).toEqual([
      ['heading', '# Mills'],
      ['paragraph', 'Old mills turn slowly, since the water comes from far away (mostly).'],
      ['paragraph', 'A second paragraph.'],
      ['heading', '## Wheels'],
      ['paragraph', 'They are round, and go on to the next page.'],
      ['item', '- one'],
      ['item', '- two'],
    ])
  })

  test('an item goes on in its next line, however small its mark is', async () => {
    const pdf = makePdf([
      [
        { text: '-', size: 6, y: 700 },
        { text: 'mills that turn', x: 90, y: 700 },
        { text: 'all night long', x: 90, y: 686 },
      ],
    ])
    expect(show(await read(pdf))).toEqual([['item', '- mills that turn all night long']])
  })

  test('where there is an outline, its entries are the headings', async () => {
    const pdf = makePdf(
      [column(['1. Wheels', 'Round things.']).map((line, i) => ({ ...line, y: 780 - i * 60 }))],
      {
        outline: ['Wheels'],
      },
    )
    expect(show(await read(pdf))).toEqual([
      ['heading', '# 1. Wheels'],
      ['paragraph', 'Round things.'],
    ])
  })

  test('page headers and footers are kept once, page numbers not at all', async () => {
    const pages = Array.from({ length: 6 }, (_, i) => [
      { text: 'The book of mills', y: 830 },
      { text: `Page ${i + 1} of 6`, y: 820 },
      ...column([`Words of page number ${'abcdef'[i]}.`], 700),
      { text: String(i + 1), y: 20 },
    ])
    const { text } = await read(makePdf(pages))
    expect(text.split('\n\n')).toEqual([
      'The book of mills',
      ...[...'abcdef'].map((letter) => `Words of page number ${letter}.`),
    ])
  })

  test('a Buffer is as good as any bytes, and is left as it was', async () => {
    const buffer = Buffer.from(makePdf([column(['Old mills.'])]))
    const before = Buffer.from(buffer)
    expect((await read(buffer)).text).toBe('Old mills.')
    expect(buffer.equals(before)).toBe(true)
  })

  test('progress is reported page by page', async () => {
    const told: string[] = []
    const pace = new Pace({ onProgress: ({ step, done, total }) => told.push(`${step} ${done} of ${total}`) })
    await readPdf({ ...source('a.pdf', makePdf([column(['a']), column(['b'])])), pace })
    expect(told).toEqual(['reading 1 of 2', 'reading 2 of 2'])
  })

  test('that is encrypted says so', async () => {
    const pdf = makePdf([column(['secret'])], { isEncrypted: true })
    await expect(read(pdf)).rejects.toMatchObject({
      code: 'invalid-input',
      message: '"mills.pdf" is encrypted: remove the password first',
    })
  })

  test('that is broken, cut off or something else is refused', async () => {
    const pdf = makePdf([column(['words'])])
    await expect(read(pdf.slice(0, 200))).rejects.toThrow(/"mills.pdf" is a damaged PDF/)
    await expect(read(new TextEncoder().encode('hello'))).rejects.toThrow('"mills.pdf" is not a PDF')
    const noise = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251)
    await expect(read(Uint8Array.from([...pdf.slice(0, 9), ...noise]))).rejects.toMatchObject({
      code: 'invalid-input',
    })
  })

  test('that holds pictures only is refused, with a way out', async () => {
    await expect(read(makePdf([[], []]))).rejects.toMatchObject({
      message: expect.stringContaining('has no text on its 2 pages'),
      hint: expect.stringContaining('OCR'),
    })
  })
})

describe('DOCX', () => {
  const read = (bytes: Uint8Array) => readDocx(source('mills.docx', bytes))

  test('is headings by their styles, paragraphs, items and tables', async () => {
    const docx = makeDocx(
      paragraph('The book of mills', 'Titel'),
      paragraph('Wheels & stones', 'berschrift1'),
      paragraph('They are <round>.'),
      paragraph('one', '', 0),
      paragraph('inner', '', 1),
      paragraph('Details', 'berschrift2'),
      table([
        ['name', 'age'],
        ['Alda', '300'],
      ]),
      paragraph('End', 'Kapitel'),
    )
    expect(show(await read(docx))).toEqual([
      ['heading', '# The book of mills'],
      ['heading', '## Wheels & stones'],
      ['paragraph', 'They are <round>.'],
      ['item', '- one'],
      ['item', '  - inner'],
      ['heading', '### Details'],
      ['header', '| name | age |\n| --- | --- |'],
      ['row', '| Alda | 300 |'],
      ['heading', '## End'],
    ])
  })

  test('has what was inserted, not what was deleted, and nothing twice', async () => {
    const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`
    const docx = makeDocx(
      `<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs></w:pPr>${run('a')}<w:r><w:tab/></w:r>`,
      `<w:del><w:r><w:delText>gone</w:delText></w:r>${run('gone too')}</w:del><w:ins>${run('b')}</w:ins><w:r><w:br/></w:r>`,
      `<mc:AlternateContent><mc:Choice>${run('c')}</mc:Choice><mc:Fallback>${run('c')}</mc:Fallback></mc:AlternateContent></w:p>`,
    )
    expect((await read(docx)).text).toBe('a\tb\nc')
  })

  test('has its footnotes at the end', async () => {
    const docx = makeZip({
      'word/document.xml': `<w:document><w:body>${paragraph('Text.')}</w:body></w:document>`,
      'word/footnotes.xml': `<w:footnotes><w:footnote>${paragraph('A note.')}</w:footnote></w:footnotes>`,
    })
    expect((await read(docx)).text).toBe('Text.\n\nA note.')
  })

  test('that is cut off or damaged anywhere is refused', async () => {
    const docx = makeDocx(
      ...Array.from({ length: 50 }, (_, i) => paragraph(`Paragraph ${i} of a whole file.`)),
    )
    for (const share of [0.1, 0.5, 0.9, 0.99]) {
      await expect(read(docx.slice(0, docx.length * share))).rejects.toThrow(/"mills.docx" is damaged/)
    }
    const whole = (await read(docx)).text
    for (let at = 60; at < docx.length; at += 37) {
      const damaged = docx.slice()
      damaged[at] = (damaged[at] ?? 0) ^ 0xff
      const outcome = await read(damaged).catch((error) => error)
      if (outcome instanceof Error)
        expect(outcome).toMatchObject({
          name: 'MemoryError',
          code: expect.stringMatching(/^(?:invalid-input|unsupported-format)$/),
        })
      else expect(outcome.text === whole || !damaged.includes(0)).toBe(true)
    }
  })

  test('that is encrypted, old or another archive says so', async () => {
    const compound = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
    const encrypted = Buffer.concat([compound, Buffer.alloc(504), Buffer.from('EncryptedPackage', 'utf16le')])
    const old = Buffer.concat([compound, Buffer.alloc(504), Buffer.from('WordDocument', 'utf16le')])
    await expect(read(encrypted)).rejects.toThrow('"mills.docx" is encrypted: remove the password first')
    await expect(read(old)).rejects.toThrow('"mills.docx" is a Word file from before 2007')
    await expect(read(makeZip({ 'a.txt': 'words' }))).rejects.toThrow('is a zip archive but not a DOCX file')
    await expect(read(new TextEncoder().encode('hello'))).rejects.toThrow('is not a DOCX file')
  })

  test('that unpacks to more than it may is refused before it is unpacked', async () => {
    const bomb = makeZip({ 'word/document.xml': '<w:p/>'.repeat(400_000) })
    expect(bomb.length).toBeLessThan(20_000)
    await expect(read(bomb)).rejects.toThrow('decompresses to 2400000 bytes; the maximum is 1000000')
  })

  test('that decompresses to more than its directory says is refused while it is read', async () => {
    const bomb = makeZip({ 'word/document.xml': '<w:p/>'.repeat(400_000) })
    const view = new DataView(bomb.buffer, bomb.byteOffset, bomb.byteLength)
    const directory = view.getUint32(bomb.length - 6, true)
    view.setUint32(directory + 24, 1000, true)
    await expect(read(bomb)).rejects.toThrow(/"mills.docx" is damaged: too many bytes/)
  })
})
