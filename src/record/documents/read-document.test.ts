import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { column, makePdf } from '../../../test/support/documents/make-pdf.ts'
import { effort } from '../../../test/support/effort.ts'
import { isMemoryError } from '../../domain/errors.ts'
import { cutChunks } from './chunks/cut-chunks.ts'
import { Pace } from './pace.ts'
import { decodeText, detectFormat, readDocument } from './read-document.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (name: string, content: string | Uint8Array, mediaType?: string) => {
  const { format } = detectFormat({ name, content, mediaType })
  return readDocument({ name, content, format, pace: new Pace(), maxBytes: 1_000_000 })
}

describe('what a file is', () => {
  const formatOf = (name: string, content: string | Uint8Array = 'words', mediaType?: string) =>
    detectFormat({ name, content, mediaType }).format

  test('is detected by its media type first', () => {
    expect(formatOf('a.txt', 'words', 'text/markdown; charset=utf-8')).toBe('markdown')
    expect(formatOf('a.json', 'words', 'text/plain')).toBe('text')
    expect(formatOf('a', 'words', 'text/x-python')).toBe('code')
  })

  test('then by the ending of its name', () => {
    const endings = {
      'a.MD': 'markdown',
      'b.htm': 'html',
      'x/c.pdf': 'pdf',
      'd.docx': 'docx',
      'e.tsv': 'csv',
    }
    for (const [name, format] of Object.entries(endings)) {
      expect(formatOf(name, 'words', 'application/octet-stream')).toBe(format)
    }
    expect(['f.jsonl', 'g.rs', 'src/Dockerfile', 'h.log'].map((name) => formatOf(name))).toEqual([
      'json',
      'code',
      'code',
      'text',
    ])
  })

  test('then by how it begins', () => {
    expect(formatOf('a', makePdf([column(['x'])]))).toBe('pdf')
    expect(formatOf('a', bytes('  <!DOCTYPE html><p>x'))).toBe('html')
    expect(formatOf('a', '{"a": 1}')).toBe('json')
    expect(formatOf('a', '{ not json')).toBe('text')
    expect(formatOf('a', '#!/bin/sh\necho')).toBe('code')
    expect(formatOf('a', 'words\n\n## Heading\n')).toBe('markdown')
    expect(formatOf('a', 'words')).toBe('text')
  })

  test('has a media type, given or made', () => {
    expect(detectFormat({ name: 'a.md', content: '' }).mediaType).toBe('text/markdown')
    expect(detectFormat({ name: 'a', content: '', mediaType: 'TEXT/HTML; charset=x' }).mediaType).toBe(
      'text/html',
    )
  })
})

describe('the characters of a file', () => {
  const decode = (content: string | Uint8Array) => decodeText({ name: 'a.txt', content })

  test('are UTF-8, UTF-16 where it says so, or the alphabet of Windows', () => {
    expect(decode(bytes('\ufeffStraße 😀'))).toBe('Straße 😀')
    expect(decode(Buffer.from('\ufeffStraße', 'utf16le'))).toBe('Straße')
    expect(decode(Buffer.from('\ufeffStraße', 'utf16le').swap16())).toBe('Straße')
    expect(decode(Uint8Array.from([0x53, 0x74, 0x72, 0x61, 0xdf, 0x65, 0x20, 0x80]))).toBe('Straße €')
    expect(decode(Buffer.from('<meta charset="iso-8859-15"> \u00a4', 'latin1'))).toContain('€')
  })

  test('that no text has are refused, and what it seems to be is said', () => {
    const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])
    expect(() => decode(png)).toThrow('"a.txt" is not a text file: it looks like a PNG image')
    expect(() => decode('a\u0000b')).toThrow('"a.txt" is not a text file')
    expect(() => decode('half \ud83d')).toThrow('unpaired surrogate')
  })

  test('whatever the bytes, the text is whole or the error is clear', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (wild) => {
        try {
          expect(decode(wild).isWellFormed()).toBe(true)
        } catch (error) {
          expect(isMemoryError(error)).toBe(true)
        }
      }),
      { numRuns: effort({ short: 100, long: 500 }) },
    )
  })
})

test('texts are kept to the last character', async () => {
  for (const name of ['a.md', 'a.txt', 'a.py', 'a.csv']) {
    const text = '# One\r\n\r\n  two, three\t\r\n\n\n'
    expect((await read(name, bytes(`\ufeff${text}`))).text).toBe(text)
  }
})

test('a file without a word in it is refused', async () => {
  await expect(read('a.md', ' \n\n ')).rejects.toThrow('"a.md" contains no text')
  await expect(read('a.html', '<script>1</script>')).rejects.toThrow('"a.html" contains no text')
})

test('hundreds of thousands of anything are read and cut', async () => {
  const many = (text: string) => text.repeat(Math.ceil(300_000 / text.length))
  const files: readonly (readonly [string, string])[] = [
    ['a.txt', many('x\n')],
    ['a.txt', `x${many('\n')}y`],
    ['a.txt', many('. ')],
    ['a.md', many('# a\n')],
    ['a.md', many('*')],
    ['a.md', `|a|b|\n|-|-|\n${many('|1|2|\n')}`],
    ['a.json', `[${many('[],')}[]]`],
    ['a.csv', many('column,')],
    ['a.csv', `a\n${many('1\n')}`],
    ['a.ts', many('function a() {\n}\n')],
    ['a.html', `<table>${many('<tr><td>a<td>b')}`],
    ['a.html', many('<')],
  ]
  const count = (text: string) => Math.ceil(text.length / 4)
  for (const [name, text] of files) {
    const { chunks } = await cutChunks(await read(name, text), {
      chunkSize: 300,
      chunkOverlap: 50,
      count,
      pace: new Pace(),
    })
    expect(
      chunks.every((chunk) => chunk.tokens <= 300 && chunk.text !== ''),
      name,
    ).toBe(true)
  }
})

test('a PDF that comes as text is refused, with the way to give it', async () => {
  await expect(read('a.pdf', '%PDF-1.4')).rejects.toMatchObject({
    hint: expect.stringContaining('Uint8Array'),
  })
})

test('whatever the bytes and whatever they are called, there is a text or a clear error', async () => {
  const names = fc.constantFrom('a.md', 'a.html', 'a.pdf', 'a.docx', 'a.csv', 'a.json', 'a.ts', 'a')
  const begin = fc.constantFrom('', '%PDF-1.7\n', 'PK\u0003\u0004', '<html>', '{', '"a')
  await fc.assert(
    fc.asyncProperty(names, begin, fc.uint8Array({ maxLength: 300 }), async (name, head, wild) => {
      const outcome = await read(name, Uint8Array.from([...bytes(head), ...wild])).catch((error) => error)
      if (outcome instanceof Error) expect(isMemoryError(outcome), String(outcome.stack)).toBe(true)
      else expect(outcome.text.isWellFormed()).toBe(true)
    }),
    { numRuns: effort({ short: 60, long: 300 }) },
  )
})
