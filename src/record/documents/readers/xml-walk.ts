import { loadPackage, unreadable } from './source.ts'

/** Callbacks for the elements of an XML file, in document order. */
interface XmlVisitor {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text?(words: string): void
  close(name: string): void
}

/** Parses a file in steps and yields the number of characters processed after each. */
export type XmlWalk = (xml: string, visitor: XmlVisitor) => Generator<number>

const CHUNK_CHARACTERS = 64 * 1024

/** Deeper files are damaged or an attack: parsing takes time quadratic in the depth. */
export const MAX_DEPTH = 10_000

export async function createXmlWalk(name: string): Promise<XmlWalk> {
  const { Parser } = await loadPackage(() => import('htmlparser2'), 'htmlparser2')
  return function* walk(xml, visitor) {
    let depth = 0
    const parser = new Parser(
      {
        onopentag: (element, attributes) => {
          depth += 1
          if (depth > MAX_DEPTH) throw tooDeep(name)
          visitor.open(element, attributes)
        },
        ontext: (words) => visitor.text?.(words),
        onclosetag: (element) => {
          depth -= 1
          visitor.close(element)
        },
      },
      { xmlMode: true, decodeEntities: true },
    )
    for (let start = 0; start < xml.length; start += CHUNK_CHARACTERS) {
      parser.write(xml.slice(start, start + CHUNK_CHARACTERS))
      yield Math.min(start + CHUNK_CHARACTERS, xml.length)
    }
    parser.end()
  }
}

export const tooDeep = (name: string): Error =>
  unreadable(name, `is nested more than ${MAX_DEPTH} levels deep`, {
    hint: 'check that this is the right file',
  })
