/** A line of text on a page. */
export interface DrawnLine {
  readonly text: string
  readonly size?: number
  readonly x?: number
  /** From the foot of the page. */
  readonly y: number
}

interface PdfOptions {
  /** Encrypted with a password that nobody knows. */
  readonly isEncrypted?: boolean
  /** Titles that the outline has, all of one level. */
  readonly outline?: readonly string[]
}

const quote = (text: string): string => text.replaceAll(/[()\\]/g, '\\$&')

const draw = (lines: readonly DrawnLine[]): string =>
  lines
    .map(({ text, size = 11, x = 72, y }) => `BT /F1 ${size} Tf ${x} ${y} Td (${quote(text)}) Tj ET`)
    .join('\n')

/** A PDF as small as one can be: one font, text at given places, an outline if wanted. */
export function makePdf(pages: readonly (readonly DrawnLine[])[], options: PdfOptions = {}): Uint8Array {
  const { isEncrypted = false, outline = [] } = options
  const objects: string[] = ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>', '', '']
  const add = (object: string): number => objects.push(object)
  const kids = pages.map((lines) => {
    const drawing = draw(lines)
    const content = add(`<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`)
    return add(
      `<< /Type /Page /Parent 3 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 1 0 R >> >> /Contents ${content} 0 R >>`,
    )
  })
  const contents = outline.length === 0 ? '' : ` /Outlines ${addOutline(objects, outline)} 0 R`
  objects[1] = `<< /Type /Catalog /Pages 3 0 R${contents} >>`
  objects[2] = `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${kids.length} >>`
  const lock = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -4 >> /ID [<01><01>]`
  return new Uint8Array(Buffer.from(write(objects, isEncrypted ? lock : ''), 'latin1'))
}

function addOutline(objects: string[], titles: readonly string[]): number {
  const root = objects.length + 1
  const first = root + 1
  const last = root + titles.length
  objects.push(`<< /Type /Outlines /First ${first} 0 R /Last ${last} 0 R /Count ${titles.length} >>`)
  for (const [i, title] of titles.entries()) {
    const next = i + 1 < titles.length ? ` /Next ${first + i + 1} 0 R` : ''
    const before = i > 0 ? ` /Prev ${first + i - 1} 0 R` : ''
    objects.push(`<< /Title (${quote(title)}) /Parent ${root} 0 R${before}${next} >>`)
  }
  return root
}

/** Objects, then a table that says where each begins. */
function write(objects: readonly string[], more: string): string {
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const offset = text.length
    text += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  return `${text}${table}trailer\n<< /Size ${size} /Root 2 0 R ${more} >>\nstartxref\n${text.length}\n%%EOF\n`
}

/** Lines one below the other, the way most text stands. */
export const column = (texts: readonly string[], from = 780): readonly DrawnLine[] =>
  texts.map((text, i) => ({ text, y: from - i * 14 }))
