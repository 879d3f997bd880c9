// The cost of a message in a request. A provider wraps every message, tool call and tool in additional
// tokens; the numbers for that are those that OpenAI documents for its chat format, rounded up where it
// documents none, so that a budget kept here is also kept at the provider.

import type { Content, ImagePart, Part } from './message.ts'
import { asText } from './message.ts'

/** Counts the tokens of a plain text. */
export type CountTokens = (text: string) => number

/** Every message is wrapped in a start, a role and an end. */
const PER_MESSAGE = 3
/** A speaker's name costs one token more than its text. */
const PER_NAME = 1
/** Id, type and punctuation of a call or its result. */
const PER_TOOL_PART = 8
/** Type and punctuation of one tool's definition. */
const PER_TOOL = 8
/** The start of the answer. */
export const PER_REQUEST = 3

const IMAGE_LOW = 85
const IMAGE_TILE = 170
const IMAGE_TILE_PIXELS = 512
/** The maximum for an image of unknown size: 8 tiles. */
const IMAGE_MOST = IMAGE_LOW + 8 * IMAGE_TILE
/** An estimate for a file with an unknown number of pages; set `tokens` on the part to be exact. */
const FILE_GUESS = 1500

interface CountedMessage {
  readonly content: Content
  readonly name?: string | undefined
}

/** The cost of a message, including what the provider adds around it. */
export function countMessageTokens(count: CountTokens, message: CountedMessage): number {
  const name = message.name === undefined ? 0 : PER_NAME + count(message.name)
  return PER_MESSAGE + name + countContentTokens(count, message.content)
}

function countContentTokens(count: CountTokens, content: Content): number {
  if (typeof content === 'string') return count(content)
  return content.reduce((sum, part) => sum + countPartTokens(count, part) + countMetadataTokens(part), 0)
}

function countPartTokens(count: CountTokens, part: Part): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return count(part.text)
    case 'image':
      return part.tokens ?? countImageTokens(part)
    case 'file':
      return part.tokens ?? FILE_GUESS
    case 'tool-call':
      return PER_TOOL_PART + count(part.toolCallId) + count(part.toolName) + count(asText(part.input))
    case 'tool-result':
      return PER_TOOL_PART + count(part.toolCallId) + count(part.toolName ?? '') + count(asText(part.output))
  }
}

/**
 * A signature contains the model's whole reasoning in encrypted form, and providers count it; the text of a
 * reasoning part may be only a summary. A token is about four bytes and base64 adds a third, so a quarter of
 * the length is enough.
 */
function countMetadataTokens({ providerMetadata }: Part): number {
  return providerMetadata === undefined ? 0 : Math.ceil(JSON.stringify(providerMetadata).length / 4)
}

// OpenAI's rule: fit into 2048 × 2048, shrink the shorter side to 768, count tiles of 512 × 512.
function countImageTokens(image: ImagePart): number {
  if (image.detail === 'low') return IMAGE_LOW
  if (image.width === undefined || image.height === undefined) return IMAGE_MOST
  const fit = Math.min(1, 2048 / Math.max(image.width, image.height))
  const shrink = fit * Math.min(1, 768 / (fit * Math.min(image.width, image.height)))
  const tiles = (side: number) => Math.ceil((side * shrink) / IMAGE_TILE_PIXELS)
  return IMAGE_LOW + IMAGE_TILE * tiles(image.width) * tiles(image.height)
}

/** The cost of tool definitions, in whatever shape the provider expects. */
export function countToolsTokens(count: CountTokens, tools: readonly unknown[]): number {
  return tools.reduce<number>((sum, tool) => sum + PER_TOOL + count(JSON.stringify(tool)), 0)
}
