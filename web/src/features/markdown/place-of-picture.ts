import { decodeEntities, safeAddress } from './read-markdown.ts'

/** Embedded images, in formats that can't contain scripts. */
const EMBEDDED = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[\w+/=]+$/i

export type PicturePlace =
  | { readonly kind: 'own' | 'elsewhere'; readonly address: string }
  | { readonly kind: 'nowhere' }

/** Whether an image is embedded or on this server (`own`), on another server, or not loadable. */
export function placeOfPicture(written: string, origin: string): PicturePlace {
  const address = decodeEntities(written).trim()
  if (EMBEDDED.test(address)) return { kind: 'own', address }
  const safe = /^\/(?![/\\])/.test(address) ? toAddress(address, origin) : safeAddress(address)
  if (safe === undefined || !/^https?:/i.test(safe)) return { kind: 'nowhere' }
  return { kind: new URL(safe).origin === origin ? 'own' : 'elsewhere', address: safe }
}

/** A path may be invalid or lead to another server, because URL parsing drops tabs and line breaks. */
function toAddress(path: string, origin: string): string | undefined {
  return URL.canParse(path, origin) ? new URL(path, origin).href : undefined
}
