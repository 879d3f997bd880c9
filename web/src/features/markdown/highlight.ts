import type { ElementContent } from 'hast'
import { common, createLowlight } from 'lowlight'

/** Plain text, or a highlighted span. */
export type CodePiece = string | { readonly className: string; readonly pieces: readonly CodePiece[] }

const lowlight = createLowlight(common)

/** The highlighted pieces of the code, or undefined for an unknown language. */
export function highlight(text: string, language: string): readonly CodePiece[] | undefined {
  if (!lowlight.registered(language)) return undefined
  return lowlight.highlight(language, text).children.flatMap((node) => toPiece(node as ElementContent))
}

function toPiece(node: ElementContent): readonly CodePiece[] {
  if (node.type === 'text') return [node.value]
  if (node.type !== 'element') return []
  const { className } = node.properties
  const names = Array.isArray(className) ? className.join(' ') : ''
  return [{ className: names, pieces: node.children.flatMap(toPiece) }]
}
