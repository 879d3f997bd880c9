import { MemoryError } from '../domain/errors.ts'
import { messageId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'
import type { ResolvedLimits } from '../options/limit-options.ts'
import type { Edit } from '../store/edits.ts'
import { acceptName } from './accept-id.ts'
import { acceptJson, isPlainObject, utf8Bytes } from './accept-json.ts'

/** What an edit says and where it stands, checked: it may come from a file. */
export function acceptEdit(
  edit: unknown,
  limits: ResolvedLimits,
): Pick<Edit, 'kind' | 'key' | 'body' | 'sources' | 'position'> {
  if (!isPlainObject(edit)) throw new MemoryError('invalid-input', 'an edit must be an object')
  return {
    kind: acceptName(edit['kind'], { what: 'the kind of an edit', most: limits.idCharacters }),
    // What it is about may be a whole sentence.
    key: acceptName(edit['key'], { what: 'the key of an edit', most: limits.metadataBytes }),
    body: acceptBody(edit['body'], limits),
    sources: acceptSources(edit['sources'] ?? [], limits),
    position: acceptPosition(edit['position']),
  }
}

function acceptBody(body: unknown, { depth, messageBytes }: ResolvedLimits): JsonObject {
  if (!isPlainObject(body)) {
    throw new MemoryError('invalid-input', 'the body of an edit must be a plain object')
  }
  acceptJson(body, { what: 'the body of an edit', depth })
  const json = JSON.stringify(body)
  if (utf8Bytes(json) > messageBytes) {
    throw new MemoryError('too-large', `the body of an edit has more than ${messageBytes} bytes`, {
      hint: 'keep large things elsewhere and refer to them, or raise the option limits.messageBytes',
    })
  }
  return JSON.parse(json)
}

function acceptSources(sources: unknown, { idCharacters }: ResolvedLimits): Edit['sources'] {
  if (!Array.isArray(sources)) throw new MemoryError('invalid-input', 'the sources of an edit must be a list')
  return sources.map((id) => messageId(acceptName(id, { what: 'a message id', most: idCharacters })))
}

function acceptPosition(position: unknown): number {
  if (Number.isSafeInteger(position) && (position as number) >= 0) return position as number
  throw new MemoryError('invalid-input', `an edit cannot stand at position ${String(position)}`)
}
