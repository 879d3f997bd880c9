import { expect, test } from 'vitest'
import { detectEnvelope, isEnvelopeKnown } from './detect-envelope.ts'

test.each([
  ['', 'empty'],
  ['\ufeff \n', 'empty'],
  ['{"format":"recollect","version":1', 'recollect'],
  ['\ufeff{\n  "format" : "recollect",', 'recollect'],
  ['[{"title":"a"}', 'document'],
  ['\n [', 'document'],
  ['{"messages":[]}\n{"messages":[]}', 'lines'],
  ['{"messages":[]}', 'lines'],
  ['{"messages":[}\n{"messages":[]}', 'lines'],
  ['{\n  "conversationId": "a",', 'document'],
  ['{"conversations":[\n{"title":', 'document'],
  ['{"a":1', 'document'],
  ['Dear diary', 'unknown'],
  ['PK\u0003\u0004', 'unknown'],
  ['<html>', 'unknown'],
])('%j stands in %s', (text, envelope) => {
  expect(detectEnvelope(new TextEncoder().encode(text))).toBe(envelope)
})

test.each([
  ['', false],
  [' \n', false],
  ['[', true],
  ['{"format": "recollect"', true],
  ['{"messages":[]}', false],
  ['{"messages":[]}\n', true],
  ['{\n', false],
  [`{\n${' '.repeat(1000)}`, true],
  ['{"messages":[}\n{', false],
  ['Dear diary', true],
])('after %j it is told: %s', (text, isTold) => {
  expect(isEnvelopeKnown(new TextEncoder().encode(text))).toBe(isTold)
})
