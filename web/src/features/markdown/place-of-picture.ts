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
  const safe = /^\/(?![/\\])/.test(address) ? toAddress(address, origin) : safeAddress(address)
  if (safe === undefined || !/^https?:/i.test(safe)) return { kind: 'nowhere' }
  return { kind: new URL(safe).origin === origin ? 'own' : 'elsewhere', address: safe }
}

/** A path can still be no address, or one of another server: tabs and line ends in it do not count. */
function toAddress(path: string, origin: string): string | undefined {
  return URL.canParse(path, origin) ? new URL(path, origin).href : undefined
}
