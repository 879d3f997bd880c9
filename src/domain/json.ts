/** A value that JSON can hold. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** An object that JSON can hold. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}
