/** Who is told of the elements of an XML file, in order. */
interface XmlVisitor {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text?(words: string): void
  close(name: string): void
}

/** Goes through a file in steps; after each it yields how many characters are done. */
export type XmlWalk = (xml: string, visitor: XmlVisitor) => Generator<number>

const AT_ONCE = 64 * 1024

export async function createXmlWalk(): Promise<XmlWalk> {
  const { Parser } = await import('htmlparser2')
  return function* walk(xml, visitor) {
    const parser = new Parser(
      {
        onopentag: (name, attributes) => visitor.open(name, attributes),
        ontext: (words) => visitor.text?.(words),
        onclosetag: (name) => visitor.close(name),
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
