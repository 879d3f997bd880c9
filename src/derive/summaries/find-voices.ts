import { toSingleSpaces } from '../single-spaces.ts'
import type { Voices } from './report/to-third-person.ts'
import type { Turn } from './summary.ts'

const ROLE_LABELS = {
  user: 'the user',
  assistant: 'the assistant',
  system: 'the system',
  tool: 'the tool',
} as const

/**
 * Who speaks, and who is meant by "you", for each turn. Between two speakers, it is the other one; a single
 * speaker addresses the other role; among three or more, it is unknown.
 */
export function findVoices(turns: readonly Turn[]): (turn: Turn) => Voices {
  const speakers = new Set(turns.filter(isSpoken).map(labelOf))
  return (turn) => {
    const speaker = labelOf(turn)
    const [other, another] = [...speakers].filter((label) => label !== speaker)
    if (another !== undefined) return { speaker }
    return { speaker, addressee: other ?? ROLE_LABELS[turn.role === 'user' ? 'assistant' : 'user'] }
  }
}

/** System prompts and tool results are not part of the conversation. */
export function isSpoken({ role }: Turn): boolean {
  return role === 'user' || role === 'assistant'
}

function labelOf({ name, role }: Turn): string {
  const given = name && toSingleSpaces(name).trim()
  return given === undefined || given === '' ? ROLE_LABELS[role] : given
}
