// Facts, notes, preferences and feedback, as a user or the application gives them.

import { z } from 'zod'
import { FACT_KINDS } from '../domain/fact.ts'
import { refuse } from './check.ts'
import { filledText, type Input, id, ids, json, moment, name, object } from './values.ts'

export const factKind = z.enum(FACT_KINDS)
const subject = id.meta({ description: 'Who or what it is about. Default: "user".' })
const value = name('factCharacters')

const factFields = {
  /** Who or what it is about. @default "user" */
  subject: subject.optional(),
  attribute: id,
  value,
  /** @default "fact" */
  kind: factKind.optional(),
  /** @default now */
  validFrom: moment.optional(),
}

export const newFact = object('a fact', {
  /** Adding a fact again under the same id changes nothing. @default generated */
  id: id.optional().meta({ description: 'An id of your choice: adding it again changes nothing.' }),
  ...factFields,
  validUntil: moment.optional(),
  /** The conversation that it belongs to and is erased with. @default none */
  conversationId: id
    .optional()
    .meta({ description: 'The conversation that it belongs to and is erased with.' }),
  /** The messages that it was taken from; it is erased with any of them. @default none */
  messageIds: ids
    .optional()
    .meta({ description: 'The messages that it was taken from; it is erased with any of them.' }),
}).meta({ id: 'NewFact', title: 'a fact' })

/** A fact as a user or the application gives it. */
export type NewFact = Input<typeof newFact>

const changeFields = {
  ...factFields,
  attribute: id.optional(),
  value: value.optional(),
  /** `null`: the fact holds again without an end. */
  validUntil: moment
    .nullable()
    .optional()
    .meta({ description: '`null`: the fact holds again without an end.' }),
}

export const factChanges = object('the changes to a fact', changeFields)
  .check((payload) => {
    if (Object.values(payload.value).every((change) => change === undefined))
      refuse(payload, 'are empty', { hint: `known fields: ${Object.keys(changeFields).join(', ')}` })
  })
  .meta({ id: 'FactChanges', title: 'the changes to a fact' })

export type FactChanges = Input<typeof factChanges>

/** What browsers and servers accept without trouble. */
const MAX_URL_CHARACTERS = 2048

/** Only addresses that are safe to show as a link. */
const webAddress = name(MAX_URL_CHARACTERS).check((payload) => {
  if (/^https?:\/\/[^\s]+$/i.test(payload.value) && URL.canParse(payload.value)) return
  refuse(payload, 'is not a web address', { hint: 'it starts with http:// or https://' })
})

export const newNote = object('a note', {
  text: filledText('noteCharacters'),
  /** Where it comes from. @default unknown */
  source: object('the source of a note', {
    /** The tool that returned the result. */
    tool: id.optional(),
    url: webAddress.optional(),
    title: name('titleCharacters').optional(),
  }).optional(),
  /** When it was found. @default now */
  createdAt: moment.optional(),
  /** `null`: never. @default the option notes.expireDays from now, 30 days */
  expiresAt: moment.nullable().optional().meta({ description: '`null`: never. Default: after 30 days.' }),
  /** @default none, a note of the whole workspace */
  conversationId: id.optional(),
  /** Messages whose text it may contain: it is erased with any of them. @default none */
  messageIds: ids.optional(),
}).meta({ id: 'NewNote', title: 'a note' })

/** A note as the application gives it. */
export type NewNote = Input<typeof newNote>

export const preferenceValue = json('preferenceBytes')

const blockFields = {
  /** The new text, or what to put in place of `replace`. */
  text: filledText('blockCharacters'),
  /** A passage of the current text that occurs once; the rest stays. @default the whole text */
  replace: filledText('blockCharacters')
    .optional()
    .meta({ description: 'A passage of the current text that occurs once. Default: the whole text.' }),
}

export const blockChanges = object('the text of a memory block', {
  ...blockFields,
  /** Who wrote it. @default "user" */
  by: z.enum(['user', 'model']).optional(),
}).meta({ id: 'BlockChanges', title: 'the text of a memory block' })

export type BlockChanges = Input<typeof blockChanges>

/** What a model passes to the tool that updates a block. */
export const blockToolInput = object('the input of the tool', { name: id, ...blockFields })
