import { deflateRawSync } from 'node:zlib'

/** The cyclic checksum of zip archives, a bit at a time. */
function checksum(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}

const numbers = (...fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer =>
  Buffer.concat(
    fields.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes)
      if (bytes === 2) field.writeUInt16LE(value)
      else field.writeUInt32LE(value)
      return field
    }),
  )

/** A zip archive: each file packed, then a table of contents. */
export function makeZip(files: Readonly<Record<string, string>>): Uint8Array {
  const parts: Buffer[] = []
  const contents: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const bytes = Buffer.from(text)
    const packed = deflateRawSync(bytes)
    const title = Buffer.from(name)
    const about = numbers(
      [2, 20],
      [2, 0],
      [2, 8],
      [4, 0],
      [4, checksum(bytes)],
      [4, packed.length],
      [4, bytes.length],
      [2, title.length],
    )
    parts.push(numbers([4, 0x04034b50]), about, numbers([2, 0]), title, packed)
    contents.push(
      numbers([4, 0x02014b50], [2, 20]),
      about,
      numbers([2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]),
      title,
    )
    offset += 4 + about.length + 2 + title.length + packed.length
  }
  const table = Buffer.concat(contents)
  const count = Object.keys(files).length
  const end = numbers(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, table.length],
    [4, offset],
    [2, 0],
  )
  return new Uint8Array(Buffer.concat([...parts, table, end]))
}

const quote = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A paragraph, with a style or the number of a list if it has one. */
export const paragraph = (text: string, style = '', depth?: number): string => {
  const named = style === '' ? '' : `<w:pStyle w:val="${style}"/>`
  const numbered =
    depth === undefined ? '' : `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="1"/></w:numPr>`
  return `<w:p><w:pPr>${named}${numbered}</w:pPr><w:r><w:t xml:space="preserve">${quote(text)}</w:t></w:r></w:p>`
}

export const table = (rows: readonly (readonly string[])[]): string => {
  const cells = (row: readonly string[]) => row.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')
  return `<w:tbl>${rows.map((row) => `<w:tr>${cells(row)}</w:tr>`).join('')}</w:tbl>`
}

const STYLES = `<?xml version="1.0"?><w:styles>
  <w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>
  <w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
  <w:style w:styleId="berschrift2"><w:name w:val="heading 2"/><w:basedOn w:val="berschrift1"/></w:style>
  <w:style w:styleId="Kapitel"><w:name w:val="Kapitel"/><w:basedOn w:val="berschrift1"/></w:style>
</w:styles>`

/** A Word file with the styles of a German Word: ids are translated, names are not. */
export const makeDocx = (...body: readonly string[]): Uint8Array =>
  makeZip({
    'word/styles.xml': STYLES,
    'word/document.xml': `<?xml version="1.0"?><w:document><w:body>${body.join('')}</w:body></w:document>`,
  })
