import { decodeEntities, safeAddress } from './read-markdown.ts'

/** Brought along in the text itself, in a format that cannot hold scripts. */
const BROUGHT = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[\w+/=]+$/i

export type PicturePlace =
  | { readonly kind: 'own' | 'elsewhere'; readonly address: string }
  | { readonly kind: 'nowhere' }

/** In the text itself or on this server; on another one; or nowhere that a picture may come from. */
export function placeOfPicture(written: string, origin: string): PicturePlace {
  const address = decodeEntities(written).trim()
  if (BROUGHT.test(address)) return { kind: 'own', address }
  const isPath = /^\/(?![/\\])/.test(address)
  const safe = isPath ? new URL(address, origin).href : safeAddress(address)
  if (safe === undefined || !/^https?:/i.test(safe)) return { kind: 'nowhere' }
  return { kind: new URL(safe).origin === origin ? 'own' : 'elsewhere', address: safe }
}
