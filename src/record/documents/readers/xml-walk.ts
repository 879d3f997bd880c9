import { loadPackage } from '../load-package.ts'
import { unreadable } from '../unreadable.ts'

/** Who is told of the elements of an XML file, in order. */
interface XmlVisitor {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text?(words: string): void
  close(name: string): void
}

/** Goes through a file in steps; after each it yields how many characters are done. */
export type XmlWalk = (xml: string, visitor: XmlVisitor) => Generator<number>

const AT_ONCE = 64 * 1024

/** Deeper files are broken, or made to keep a parser busy: it takes time in the square of the depth. */
export const DEEPEST = 10_000

export async function createXmlWalk(name: string): Promise<XmlWalk> {
  const { Parser } = await loadPackage(() => import('htmlparser2'), 'htmlparser2')
  return function* walk(xml, visitor) {
    let depth = 0
    const parser = new Parser(
      {
        onopentag: (element, attributes) => {
          depth += 1
          if (depth > DEEPEST) throw tooDeep(name)
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
    for (let start = 0; start < xml.length; start += AT_ONCE) {
      parser.write(xml.slice(start, start + AT_ONCE))
      yield Math.min(start + AT_ONCE, xml.length)
    }
    parser.end()
  }
}

export const tooDeep = (name: string): Error =>
  unreadable(name, `is nested more than ${DEEPEST} deep`, { hint: 'is it the file that it should be?' })
