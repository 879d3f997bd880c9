import { openMemory } from '../../dist/index.js'
import { createWriter } from '../made-up-text.mjs'
import { timeMs } from '../measure.mjs'

const SECTION_WORDS = 400

/** Sections of prose with a list, a table and code now and then. */
function writeMarkdown(write, sections) {
  const parts = []
  for (let i = 0; i < sections; i++) {
    parts.push(`${i % 5 === 0 ? '#' : '##'} ${write(4)}`, write(SECTION_WORDS / 2), write(SECTION_WORDS / 4))
    if (i % 3 === 0) parts.push(Array.from({ length: 8 }, () => `- ${write(12)}`).join('\n'))
    if (i % 7 === 0)
      parts.push(
        `| name | says |\n| --- | --- |\n${Array.from({ length: 12 }, () => `| ${write(1)} | ${write(8)} |`).join('\n')}`,
      )
    if (i % 5 === 0)
      parts.push(
        `\`\`\`js\n${Array.from({ length: 12 }, (_, n) => `const x${n} = call("${write(3)}")`).join('\n')}\n\`\`\``,
      )
  }
  return parts.join('\n\n')
}

const writeCsv = (write, rows) =>
  `id,name,remark\n${Array.from({ length: rows }, (_, i) => `${i},${write(2)},"${write(12)}"`).join('\n')}`

/** A PDF with one font and forty lines a page. */
function writePdf(write, pages) {
  const objects = [
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Catalog /Pages 3 0 R >>',
    '',
  ]
  const kids = Array.from({ length: pages }, () => {
    const lines = Array.from(
      { length: 40 },
      (_, i) => `BT /F1 11 Tf 72 ${780 - i * 14} Td (${write(11)}) Tj ET`,
    )
    const drawing = lines.join('\n')
    const content = objects.push(`<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`)
    return objects.push(
      `<< /Type /Page /Parent 3 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 1 0 R >> >> /Contents ${content} 0 R >>`,
    )
  })
  objects[2] = `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${pages} >>`
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const offset = text.length
    text += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 2 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return new Uint8Array(Buffer.from(text + table + trailer, 'latin1'))
}

export const documents = {
  name: 'documents',
  about: 'documents.add(): reading, cutting and indexing; replacing and erasing',
  async run(fixture) {
    const memory = await openMemory(fixture.newPath('documents.db'))
    const write = createWriter(21)
    const sections = fixture.repeats(1000)
    const files = {
      Markdown: { name: 'a.md', content: writeMarkdown(write, sections) },
      CSV: { name: 'b.csv', content: writeCsv(write, sections * 10) },
      PDF: { name: 'c.pdf', content: writePdf(write, Math.ceil(sections / 4)) },
    }
    const rows = []
    await memory.documents.add({ name: 'warm up.md', content: writeMarkdown(write, 10) })
    for (const [format, file] of Object.entries(files)) {
      let document
      const before = process.cpuUsage()
      const ms = await timeMs(async () => {
        document = await memory.documents.add({ ...file, id: format })
      })
      const { user, system } = process.cpuUsage(before)
      const count = document.chunkCount.toLocaleString('en')
      const what = `index ${format}, ${count} chunks`
      rows.push({ what, unit: 'chunks/s', ours: (document.chunkCount / ms) * 1000, aim: { least: 200 } })
      const cpuSeconds = (user + system) / 1e6
      rows.push({
        what: '  a second of processor time',
        unit: 'chunks',
        ours: document.chunkCount / cpuSeconds,
      })
      rows.push({ what: '  tokens a second', unit: 'tokens/s', ours: (document.tokens / ms) * 1000 })
    }
    const content = `${files.Markdown.content}\n\nOne more sentence.`
    const replaceMs = await timeMs(() => memory.documents.replace('Markdown', { content }))
    rows.push({ what: 'replace the Markdown by a new version', unit: 'ms', ours: replaceMs })
    rows.push({
      what: 'the same content again',
      unit: 'ms',
      ours: await timeMs(() => memory.documents.add({ ...files.CSV })),
    })
    rows.push({ what: 'erase the PDF', unit: 'ms', ours: await timeMs(() => memory.documents.erase('PDF')) })
    await memory.close()
    return rows
  },
}
