import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ForeignMessage } from './foreign.ts'
import { type TreeNode, type Unfolded, unfoldTree } from './unfold-tree.ts'

const said = (id: string, minute = 0): ForeignMessage => ({
  id,
  role: 'user',
  content: id,
  createdAt: new Date(minute * 60_000),
})
const node = (id: string, parentId?: string, minute?: number): TreeNode => ({
  id,
  ...(parentId !== undefined && { parentId }),
  messages: [said(id, minute)],
})
const idsOf = (messages: readonly ForeignMessage[]) => messages.map(({ id }) => id).join(' ')
const show = ({ messages, branches }: Unfolded) => [
  idsOf(messages),
  ...branches.map((branch) => `${branch.after ?? '-'}: ${idsOf(branch.messages)}`),
]

describe('a tree of messages', () => {
  test('is its current branch, and branches that go on from a message', () => {
    const nodes = [
      node('a'),
      node('b', 'a'),
      node('c', 'b'),
      node('b2', 'a'),
      node('c2', 'b2'),
      node('c3', 'b2'),
    ]
    expect(show(unfoldTree(nodes, 'c'))).toEqual(['a b c', 'a: b2 c3', 'b2: c2'])
    expect(show(unfoldTree(nodes, 'c2'))).toEqual(['a b2 c2', 'a: b c', 'b2: c3'])
  })

  test('without a current end is the branch with the newest message', () => {
    const nodes = [node('a'), node('b', 'a', 9), node('c', 'a', 5)]
    expect(show(unfoldTree(nodes))).toEqual(['a b', 'a: c'])
    expect(show(unfoldTree(nodes, 'nowhere'))).toEqual(['a b', 'a: c'])
  })

  test('goes on to the end where the current message is not the last', () => {
    expect(show(unfoldTree([node('a'), node('b', 'a'), node('c', 'b')], 'a'))).toEqual(['a b c'])
  })

  test('may have nodes that say nothing, and several beginnings', () => {
    const nodes = [
      { id: 'root', messages: [] },
      node('a', 'root'),
      { id: 'gap', parentId: 'a', messages: [] },
      node('b', 'gap'),
      node('c', 'gap'),
      { id: 'end', parentId: 'a', messages: [] },
      node('x'),
      node('y', 'x'),
    ]
    expect(show(unfoldTree(nodes, 'b'))).toEqual(['a b', 'a: c', '-: x y'])
  })

  test('with missing parents, loops and doubles is mended, and says so', () => {
    const nodes = [node('a', 'lost'), node('b', 'c'), node('c', 'b'), node('d', 'd'), node('a')]
    const unfolded = unfoldTree(nodes, 'a')
    expect(show(unfolded)).toEqual(['a', '-: b c', '-: d'])
    expect(unfolded.problems.map(({ place, isSkipped }) => [place, isSkipped])).toEqual([
      ['message 5', true],
      ['message "a"', false],
      ['message "b"', false],
      ['message "d"', false],
    ])
  })

  test('of nothing is nothing', () => {
    expect(show(unfoldTree([]))).toEqual([''])
  })

  test('that is a chain of 200,000, or as many branches of one message, is unfolded in a moment', () => {
    const chain = Array.from({ length: 200_000 }, (_, i) => node(`n${i}`, i === 0 ? undefined : `n${i - 1}`))
    expect(unfoldTree(chain, 'n199999').messages).toHaveLength(200_000)
    const star = Array.from({ length: 200_000 }, (_, i) => node(`n${i}`, i === 0 ? undefined : 'n0'))
    expect(unfoldTree(star, 'n1').branches).toHaveLength(199_998)
  })
})

test('every message is in exactly one branch, after the message it answers', () => {
  const links = fc.array(fc.option(fc.integer({ min: -1, max: 30 }), { nil: undefined }), { maxLength: 30 })
  fc.assert(
    fc.property(links, fc.nat(30), fc.array(fc.nat(30)), (parents, current, silent) => {
      const nodes = parents.map((parent, i): TreeNode => {
        const one = node(`n${i}`, parent === undefined ? undefined : `n${parent}`)
        return silent.includes(i) ? { ...one, messages: [] } : one
      })
      const { messages, branches } = unfoldTree(nodes, `n${current}`)
      const all = [messages, ...branches.map((branch) => branch.messages)].flat().map(({ id }) => id)
      const expected = nodes.flatMap((one) => one.messages).map(({ id }) => id)
      expect(all.toSorted()).toEqual(expected.toSorted())
      const seen = new Set<string>(messages.map(({ id }) => id))
      for (const branch of branches) {
        if (branch.after !== undefined) expect(seen.has(branch.after)).toBe(true)
        for (const { id } of branch.messages) seen.add(id)
      }
    }),
  )
})
