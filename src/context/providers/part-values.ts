// What the three providers' shapes have in common.

import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { Part } from '../../domain/message.ts'

/** The metadata that one provider left on a part, under any of the names the AI SDK uses for the provider. */
export function metadataOf(
  { providerMetadata = {} }: Pick<Part, 'providerMetadata'>,
  ...providers: readonly string[]
): JsonObject | undefined {
  const found = providers.map((provider) => providerMetadata[provider]).find(isJsonObject)
  return found
}

/** A text field of such metadata. */
export function textOf(metadata: JsonObject | undefined, field: string): string | undefined {
  const value = metadata?.[field]
  return typeof value === 'string' ? value : undefined
}

/** Anthropic and Gemini accept arguments only as an object; a model may have written a string, or invalid JSON. */
export function toArgumentObject(value: JsonValue): JsonObject {
  const parsed = typeof value === 'string' ? parseOrKeep(value) : value
  return isJsonObject(parsed) ? parsed : { value: parsed }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseOrKeep(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

/** The media type and the base64 data of a `data:` URL; undefined for any other URL. */
export function readDataUrl(url: string): { readonly mediaType: string; readonly data: string } | undefined {
  const inline = /^data:([^;,]+);base64,(.*)$/s.exec(url)
  return inline === null ? undefined : { mediaType: inline[1] as string, data: inline[2] as string }
}

/** Stands for a reference that the provider cannot open: naming it is still useful to the model. */
export function describeReference(part: Extract<Part, { url: string }>): string {
  const inline = readDataUrl(part.url)
  return `[${part.type}: ${inline === undefined ? part.url : `${inline.mediaType}, not supported here`}]`
}

/**
 * The messages of the current tool loop: those after the last question. `areResults` says for each part of a message
 * whether it is a tool result. A question that is sent in one message with results interrupts its loop.
 */
export function currentLoop<Sent extends { readonly role: string }>(
  messages: readonly Sent[],
  areResults: (message: Sent) => readonly boolean[],
): readonly Sent[] {
  const isQuestion = (message: Sent) => message.role === 'user' && areResults(message).includes(false)
  const last = messages.findLastIndex(isQuestion)
  const isInterruption =
    messages.slice(last).length === 1 && messages.slice(last).some((one) => areResults(one).includes(true))
  const start = isInterruption ? messages.slice(0, last).findLastIndex(isQuestion) : last
  return messages.slice(start + 1)
}
