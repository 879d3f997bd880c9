import type { XmlWalk } from '../xml-walk.ts'

export interface StyleLevel {
  /** 0 for the title, 1 for the highest heading. */
  readonly level: number | undefined
  readonly isItem: boolean
}

/** What the styles of paragraphs mean, by their id. */
export type StyleLevels = ReadonlyMap<string, StyleLevel>

interface Style {
  id: string
  name: string
  basedOn: string
  outlineLevel?: number
}

/** Names of built-in styles are in English, whatever the language of the program; their ids are not. */
export function readStyles(walk: XmlWalk, xml: string): StyleLevels {
  const styles: Style[] = []
  const open = (name: string, attributes: Readonly<Record<string, string>>) => {
    const value = attributes['w:val'] ?? ''
    const style = styles.at(-1)
    if (name === 'w:style') styles.push({ id: attributes['w:styleId'] ?? '', name: '', basedOn: '' })
    if (style === undefined) return
    if (name === 'w:name') style.name = value.toLowerCase()
    if (name === 'w:basedOn') style.basedOn = value
    if (name === 'w:outlineLvl') style.outlineLevel = Number(value)
  }
  for (const _ of walk(xml, { open, close: () => undefined }));
  const byId = new Map(styles.map((style) => [style.id, style]))
  return new Map(styles.map((style) => [style.id, toLevel(style, byId)]))
}

/** Styles may be based on each other in a ring. */
const DEEPEST = 10

function toLevel(style: Style, byId: ReadonlyMap<string, Style>): StyleLevel {
  let current: Style | undefined = style
  for (let depth = 0; current !== undefined && depth < DEEPEST; depth++) {
    const level = ownLevel(current)
    if (level !== undefined) return { level, isItem: false }
    if (/^list/.test(current.name)) return { level: undefined, isItem: true }
    current = byId.get(current.basedOn)
  }
  return { level: undefined, isItem: false }
}

function ownLevel({ name, outlineLevel }: Style): number | undefined {
  if (name === 'title') return 0
  const [, heading] = /^heading ([1-9])$/.exec(name) ?? []
  if (heading !== undefined) return Number(heading)
  return outlineLevel !== undefined && outlineLevel < 9 ? outlineLevel + 1 : undefined
}
