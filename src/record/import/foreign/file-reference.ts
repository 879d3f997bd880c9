import { Digest } from '../../../domain/digest.ts'
import type { FilePart, ImagePart } from '../../../domain/message.ts'

interface ForeignFile {
  readonly url: string
  readonly name?: string | undefined
  readonly mediaType?: string | undefined
  readonly width?: unknown
  readonly height?: unknown
}

/** A file or image as a reference. */
export function toReference(file: ForeignFile): FilePart | ImagePart {
  const { address, mediaType = file.mediaType } = withoutBytes(file.url)
  const size = {
    ...(typeof file.width === 'number' && file.width > 0 && { width: file.width }),
    ...(typeof file.height === 'number' && file.height > 0 && { height: file.height }),
  }
  const media = mediaType === undefined ? {} : { mediaType }
  if (mediaType?.startsWith('image/') === true) return { type: 'image', url: address, ...media, ...size }
  return {
    type: 'file',
    url: address,
    ...(file.name !== undefined && file.name !== '' && { name: file.name }),
    ...media,
  }
}

/** The record keeps no bytes: of an address that is the file itself, what it was and a digest to know it by. */
function withoutBytes(url: string): { readonly address: string; readonly mediaType?: string } {
  const [, mediaType] = /^data:([\w.+-]+\/[\w.+-]+)?[;,]/.exec(url.slice(0, 200)) ?? []
  if (!url.startsWith('data:')) return { address: url }
  const address = `omitted:${new Digest().add(url)}`
  return mediaType === undefined ? { address } : { address, mediaType }
}
