import type { JsonObject, JsonValue } from '../../domain/json.ts'

/** Anthropic and Gemini take arguments as an object only; what a model wrote may be a text, and not even JSON. */
export function toArgumentObject(value: JsonValue): JsonObject {
  const parsed = typeof value === 'string' ? parseOrKeep(value) : value
  const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
  return isObject ? (parsed as JsonObject) : { value: parsed }
}

function parseOrKeep(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
