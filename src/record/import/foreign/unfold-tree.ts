// A conversation with edited messages and regenerated answers is a tree. It is unfolded into the current branch and
// branches that start from a message of an earlier branch, so that every message is in exactly one of them. Trees in
// files may be invalid: duplicate ids, missing parents, cycles. These are repaired and reported. Nothing here is
// recursive, since a chain may have a hundred thousand nodes.

import type { ForeignBranch, ForeignMessage, ForeignProblem } from './foreign.ts'

export interface TreeNode {
  readonly id: string
  readonly parentId?: string
  /** Empty if the node has no content. */
  readonly messages: readonly ForeignMessage[]
}

export interface Unfolded {
  readonly messages: readonly ForeignMessage[]
  readonly branches: readonly ForeignBranch[]
  readonly problems: readonly ForeignProblem[]
}

/** `currentId` is the end of the current branch. @default the newest message */
export function unfoldTree(nodes: readonly TreeNode[], currentId?: string): Unfolded {
  const tree = buildTree(nodes)
  const current = tree.byId.get(currentId ?? '') ?? findNewest(tree)
  if (current === undefined) return { messages: [], branches: [], problems: tree.problems }
  const main = toEnd(tree, toRoot(tree, current))
  const [messages, ...branches] = followAll(tree, main)
  return {
    messages: messages?.messages ?? [],
    branches: branches.filter((branch) => branch.messages.length > 0),
    problems: tree.problems,
  }
}

/** The main chain, then the chains that leave it or start at another root. */
function followAll(tree: Tree, main: readonly TreeNode[]): readonly ForeignBranch[] {
  const branches = [toBranch(main)]
  const waiting: Start[] = [...findForks(tree, main)]
  for (const root of tree.roots) if (root !== main[0]) waiting.push({ node: root })
  // The list grows during the loop.
  for (const { node, after } of waiting) {
    const chain = toEnd(tree, [node])
    for (const fork of findForks(tree, chain, after)) waiting.push(fork)
    branches.push(toBranch(chain, after))
  }
  return branches
}

interface Tree {
  readonly byId: ReadonlyMap<string, TreeNode>
  readonly parents: ReadonlyMap<string, string>
  readonly children: ReadonlyMap<string, readonly TreeNode[]>
  readonly roots: readonly TreeNode[]
  readonly problems: readonly ForeignProblem[]
}

interface Start {
  readonly node: TreeNode
  readonly after?: string
}

function buildTree(nodes: readonly TreeNode[]): Tree {
  const problems: ForeignProblem[] = []
  const byId = new Map<string, TreeNode>()
  for (const [i, node] of nodes.entries()) {
    if (!byId.has(node.id)) byId.set(node.id, node)
    else if (node.messages.length > 0)
      problems.push({
        place: `message ${i + 1}`,
        reason: `duplicate message id "${node.id}"`,
        isSkipped: true,
      })
  }
  const parents = findParents(byId, problems)
  cutLoops(parents, problems)
  const children = new Map<string, TreeNode[]>()
  for (const node of byId.values()) {
    const parent = parents.get(node.id)
    if (parent === undefined) continue
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [node])
    else siblings.push(node)
  }
  const roots = [...byId.values()].filter(({ id }) => !parents.has(id))
  return { byId, parents, children, roots, problems }
}

function findParents(byId: ReadonlyMap<string, TreeNode>, problems: ForeignProblem[]): Map<string, string> {
  const parents = new Map<string, string>()
  for (const { id, parentId } of byId.values()) {
    if (parentId === undefined) continue
    if (byId.has(parentId)) parents.set(id, parentId)
    else
      problems.push({
        place: `message "${id}"`,
        reason: `its parent message "${parentId}" is missing; it starts a separate branch`,
        isSkipped: false,
      })
  }
  return parents
}

/** Walks up from every node; meeting a node of the same walk again means a cycle. */
function cutLoops(parents: Map<string, string>, problems: ForeignProblem[]): void {
  const walks = new Map<string, number>()
  for (const [walk, start] of [...parents.keys()].entries()) {
    let at: string | undefined = start
    while (at !== undefined && !walks.has(at)) {
      walks.set(at, walk)
      at = parents.get(at)
    }
    if (at === undefined || walks.get(at) !== walk) continue
    parents.delete(at)
    problems.push({
      place: `message "${at}"`,
      reason: 'it is its own ancestor; it starts a separate branch',
      isSkipped: false,
    })
  }
}

/** The node with the newest message; of those without a timestamp, the last. */
function findNewest({ byId }: Tree): TreeNode | undefined {
  let newest: TreeNode | undefined
  let newestTime = Number.NEGATIVE_INFINITY
  for (const node of byId.values()) {
    const last = node.messages.at(-1)
    const time = last?.createdAt?.getTime() ?? newestTime
    if (last === undefined || time < newestTime) continue
    newest = node
    newestTime = time
  }
  return newest
}

function toRoot({ byId, parents }: Tree, from: TreeNode): TreeNode[] {
  const chain: TreeNode[] = []
  for (let at: TreeNode | undefined = from; at !== undefined; at = byId.get(parents.get(at.id) ?? '')) {
    chain.push(at)
  }
  return chain.reverse()
}

/** Extends the chain to a leaf, following the last child, which is the newest. */
function toEnd({ children }: Tree, chain: readonly TreeNode[]): TreeNode[] {
  const whole = [...chain]
  for (let next = children.get(whole.at(-1)?.id ?? '')?.at(-1); next !== undefined; ) {
    whole.push(next)
    next = children.get(next.id)?.at(-1)
  }
  return whole
}

/** Children of the chain's nodes that are not on it. */
function findForks({ children }: Tree, chain: readonly TreeNode[], after?: string): readonly Start[] {
  const starts: Start[] = []
  let last = after
  for (const [i, node] of chain.entries()) {
    last = node.messages.at(-1)?.id ?? last
    for (const child of children.get(node.id) ?? []) {
      if (child !== chain[i + 1]) starts.push({ node: child, ...(last !== undefined && { after: last }) })
    }
  }
  return starts
}

function toBranch(chain: readonly TreeNode[], after?: string): ForeignBranch {
  return { ...(after !== undefined && { after }), messages: chain.flatMap(({ messages }) => messages) }
}
