import { HttpError } from '../http-error.ts'
import { limitBytes, mediaTypeOf } from './read-body.ts'

const FORM = 'multipart/form-data'

export const isForm = (request: Request): boolean => mediaTypeOf(request) === FORM

/** Reads the fields of a form, files included. Never buffers more than the limit. */
export async function readForm(
  request: Request,
  mostBytes: number,
): Promise<Readonly<Record<string, string | File>>> {
  const pieces: Uint8Array[] = []
  for await (const piece of limitBytes(request, mostBytes)) pieces.push(piece)
  const fields = [...(await parseForm(Buffer.concat(pieces), request.headers.get('content-type') ?? ''))]
  const names = fields.map(([name]) => name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) {
    throw new HttpError('invalid-input', `the form has "${twice}" more than once`, {
      hint: 'send one file with each request',
    })
  }
  return Object.fromEntries(fields)
}

async function parseForm(bytes: Uint8Array, type: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'content-type': type } }).formData()
  } catch (cause) {
    throw new HttpError('malformed-request', 'the form cannot be read', {
      hint: `it is not what ${FORM} says, or was cut off: ${(cause as Error).message}`,
    })
  }
}
