// Real tokenizers, loaded when the first text is counted: a vocabulary takes 40 ms to load, and opening a
// memory must not wait for it. tokens/count-tokens.ts has the algorithm. The vocabularies are those of
// gpt-tokenizer; the rest of that package is not used: its encoder takes 60 MB, four times as long to load, and
// time quadratic in the longest run without a space.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { MemoryError } from '../../domain/errors.ts'
import type { CountTokens } from '../../domain/tokens.ts'
import type { Tokenizer, TokenizerName } from '../models.ts'
import { createTokenCounter } from './tokens/count-tokens.ts'
import type { EndOfPiece } from './tokens/pre-tokenizer.ts'
import { endOfCl100kPiece, endOfO200kPiece } from './tokens/pre-tokenizer.ts'
import { parseTokens, TokenTable } from './tokens/token-table.ts'

/**
 * Claude's and Gemini's tokenizers are not public. Users of either report that counts by OpenAI's tokenizers
 * are 10 to 30 % too low (BerriAI/litellm#12056), so the estimate is 30 % above o200k.
 */
const ESTIMATE_FACTOR = 1.3

interface Vocabulary {
  /** Spelled out for bundlers that look for the files a program needs. */
  readonly resolve: (require: NodeJS.Require) => string
  readonly endOfPiece: EndOfPiece
}

const VOCABULARIES = {
  o200k: {
    resolve: (require) => require.resolve('gpt-tokenizer/data/o200k_base.tiktoken'),
    endOfPiece: endOfO200kPiece,
  },
  cl100k: {
    resolve: (require) => require.resolve('gpt-tokenizer/data/cl100k_base.tiktoken'),
    endOfPiece: endOfCl100kPiece,
  },
} satisfies Record<string, Vocabulary>

type VocabularyName = keyof typeof VOCABULARIES

/** Shared by all memories of a process. */
const counters = new Map<VocabularyName, Promise<CountTokens>>()

export async function loadTokenizer(name: TokenizerName): Promise<Tokenizer> {
  const count = await loadOnce(name === 'cl100k' ? 'cl100k' : 'o200k')
  if (name !== 'estimate') return { name, count }
  return { name, count: (text) => Math.ceil(count(text) * ESTIMATE_FACTOR) }
}

function loadOnce(name: VocabularyName): Promise<CountTokens> {
  const loaded = counters.get(name) ?? load(name)
  counters.set(name, loaded)
  return loaded
}

async function load(name: VocabularyName): Promise<CountTokens> {
  const tokens = parseTokens(await readVocabulary(name))
  return createTokenCounter(new TokenTable(tokens), VOCABULARIES[name].endOfPiece)
}

async function readVocabulary(name: VocabularyName): Promise<Uint8Array> {
  try {
    return await readFile(VOCABULARIES[name].resolve(createRequire(import.meta.url)))
  } catch (cause) {
    throw new MemoryError('missing-dependency', `the vocabulary ${name} could not be read`, {
      hint: 'npm install gpt-tokenizer; where a bundler is used, leave that package out of the bundle',
      cause,
    })
  }
}
