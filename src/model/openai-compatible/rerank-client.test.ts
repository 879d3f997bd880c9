import { expect, test } from 'vitest'
import { openModels, scriptedServer, type TunedModels } from '../../../test/support/scripted-models.ts'
import type { Reranker } from '../models.ts'
import type { ScriptedServer } from '../scripted/testing.ts'

function rerankerAt(server: ScriptedServer, rerank: TunedModels['rerank'] = {}): Reranker {
  const options = { url: server.url, model: 'rerank-1', key: 'sk-1', ...rerank }
  return openModels({ retries: 1, timeoutMs: 1000, rerank: options }).reranker as Reranker
}

test('scores are in the order of the texts, however the server sorts them', async () => {
  const server = await scriptedServer()
  const scores = await rerankerAt(server).rerank('green tea', ['black coffee', 'green tea', 'green apples'])
  expect(scores).toEqual([0, 1, 0.5])
  expect(server.requests[0]).toMatchObject({
    method: 'POST',
    path: '/v1/rerank',
    headers: { authorization: 'Bearer sk-1' },
    body: { model: 'rerank-1', query: 'green tea', documents: ['black coffee', 'green tea', 'green apples'] },
  })
})

test('no texts, no call; long texts are cut', async () => {
  const server = await scriptedServer()
  const reranker = rerankerAt(server, { textCharacters: 3 })
  expect(await reranker.rerank('tea', [])).toEqual([])
  expect(server.requests).toHaveLength(0)
  await reranker.rerank('tea', ['abcdef'])
  expect(server.requests[0]?.body.documents).toEqual(['abc'])
})

test.each([
  ['a text is missing', { results: [{ index: 0, relevance_score: 1 }] }],
  ['a score is no number', { results: [0, 1].map((index) => ({ index, relevance_score: 'high' })) }],
  ['a place is wrong', { results: [0, 7].map((index) => ({ index, relevance_score: 1 })) }],
  ['there are no results', { data: [] }],
  ['there is nothing', null],
])('an answer in which %s is a failure', async (_, json) => {
  const server = await scriptedServer()
  server.always({ json })
  await expect(rerankerAt(server).rerank('tea', ['a', 'b'])).rejects.toMatchObject({ code: 'model-failed' })
  expect(server.requests).toHaveLength(2)
})

test.each([
  ['slow', { delayMs: 3000 }],
  ['cut off', { cutAfter: 10 }],
  ['broken', { status: 500 }],
  ['silent', { body: '' }],
  ['not what it seems', { body: '<html>' }],
])('a server that is %s is retried', async (_, reply) => {
  const server = await scriptedServer(reply)
  await expect(rerankerAt(server).rerank('tea', ['tea'])).resolves.toEqual([1])
})

test('a server without the endpoint is named', async () => {
  const server = await scriptedServer()
  await expect(
    rerankerAt(server, { url: `${server.url}/other` }).rerank('tea', ['tea']),
  ).rejects.toMatchObject({
    message: `the re-ranker rerank-1 at ${server.url}/other failed with 404: nothing at /other/rerank`,
    hint: 'are models.rerank.url and models.rerank.model right?',
  })
})
