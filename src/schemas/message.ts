import { z } from 'zod'
import { type Content, type Part, ROLES, type Role, withCurrentPartNames } from '../domain/message.ts'
import { limitOf, refuse } from './check.ts'
import {
  findJsonProblem,
  type Input,
  id,
  isPlainObject,
  json,
  jsonObject,
  list,
  object,
  text,
  time,
} from './values.ts'

const filled = z.string().min(1)
const count = z.number().min(0).optional()
/** What the provider adds to a part and wants back with it, such as the signature of a reasoning part. */
const providerMetadata = jsonObject().optional()

/** Parts may have other fields, which are stored as they are. */
const part: z.ZodType<Part, Part> = z
  .discriminatedUnion('type', [
    z.looseObject({ type: z.literal('text'), text, providerMetadata }),
    z.looseObject({ type: z.literal('reasoning'), text, providerMetadata }),
    z.looseObject({
      type: z.literal('image'),
      url: filled,
      mediaType: filled.optional(),
      detail: z.enum(['low', 'high']).optional(),
      width: count,
      height: count,
      tokens: count,
      providerMetadata,
    }),
    z.looseObject({
      type: z.literal('file'),
      url: filled,
      name: filled.optional(),
      mediaType: filled.optional(),
      tokens: count,
      providerMetadata,
    }),
    z.looseObject({
      type: z.literal('tool-call'),
      toolCallId: filled,
      toolName: filled,
      input: json(),
      providerMetadata,
    }),
    z.looseObject({
      type: z.literal('tool-result'),
      toolCallId: filled,
      toolName: filled.optional(),
      output: json(),
      isError: z.boolean().optional(),
      providerMetadata,
    }),
  ])
  .meta({ id: 'Part' }) as unknown as z.ZodType<Part, Part>

const parts = z.array(part).check((payload) => {
  const maximum = limitOf('messageParts')
  if (payload.value.length > maximum)
    refuse(payload, `has ${payload.value.length} parts; the maximum is ${maximum}`, { isTooLarge: true })
})

/** Text or parts. The parsed value may lack fields that only the input has, so callers keep the input. */
export const content: z.ZodType<Content, Content> = z
  .preprocess(withCurrentPartNames, z.union([text, parts]))
  .meta({
    id: 'Content',
    description: 'Text, or parts: text, images, files, tool calls and their results.',
  }) as unknown as z.ZodType<Content, Content>

/** Fields of a message that every door takes. */
export const messageFields = {
  /** Recording the same id twice returns the first result and writes nothing. @default generated */
  id: id
    .optional()
    .meta({ description: 'Sending the same id again writes nothing and returns the first result.' }),
  content,
  /** The speaker, where several people share a role. */
  name: id.optional().meta({ description: 'The speaker, where several people share a role.' }),
  /** When it was said. @default now */
  createdAt: time.optional(),
  /** 0 to 1. @default none, which counts as 0.5 */
  importance: z.number().min(0).max(1).optional(),
  /** Anything the application wants to store with the message. */
  metadata: jsonObject('metadataBytes').optional(),
}

export const newMessage = object('a message', {
  role: z.enum(ROLES),
  ...messageFields,
})
  .check((payload) => {
    const { role, content: checked } = payload.value
    if (typeof checked === 'string') {
      if (role === 'tool') refuseToolText(payload)
      return
    }
    if (role === 'tool' && checked.length === 0) refuseToolText(payload)
    for (const [i, one] of checked.entries()) checkPart(payload, { part: one, role, path: ['content', i] })
    checkCallIds(payload, checked)
  })
  .meta({ id: 'NewMessage', title: 'a message' })

/** A message as the application passes it in. */
export type NewMessage = Input<typeof newMessage>

/** Over HTTP: one message, or several. */
export const newMessages = z.union([
  newMessage,
  object('the body', { messages: list(newMessage) }),
]) as unknown as z.ZodType<unknown, NewMessage | { readonly messages: readonly NewMessage[] }>

function refuseToolText(payload: z.core.ParsePayload): void {
  refuse(payload, 'of a tool message must be the results of tool calls', {
    hint: 'content: [{ type: "tool-result", toolCallId: "…", output: … }]',
    path: ['content'],
  })
}

/** Which roles may have a part. */
const PART_ROLES: Readonly<Record<Part['type'], readonly Role[]>> = {
  text: ['system', 'user', 'assistant'],
  reasoning: ['assistant'],
  image: ['user', 'assistant'],
  file: ['user', 'assistant'],
  'tool-call': ['assistant'],
  'tool-result': ['tool'],
}

interface PlacedPart {
  readonly part: Part
  readonly role: Role
  readonly path: readonly PropertyKey[]
}

function checkPart(payload: z.core.ParsePayload, { part: one, role, path }: PlacedPart): void {
  const roles = PART_ROLES[one.type]
  if (!roles.includes(role))
    refuse(payload, `is a ${one.type} part, which a ${role} message cannot have`, {
      hint: `allowed in messages of the role ${roles.join(', ')}`,
      path,
    })
  const problem = isPlainObject(one) ? findJsonProblem(one, limitOf('depth') + 1) : undefined
  if (problem !== undefined) refuse(payload, problem.message, { ...problem, path })
}

/** Results cannot be assigned to two calls with the same id in one message. */
function checkCallIds(payload: z.core.ParsePayload, all: readonly Part[]): void {
  const callIds = all.flatMap((one) => ('toolCallId' in one ? [one.toolCallId] : []))
  const duplicate = callIds.find((callId, i) => callIds.indexOf(callId) !== i)
  if (duplicate === undefined) return
  refuse(payload, `has a duplicate toolCallId "${duplicate}"`, {
    hint: 'give every tool call of a message, and every result, a different toolCallId',
    path: ['content'],
  })
}
