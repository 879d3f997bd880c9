import type { Fact } from '../index.ts'
import { clip, printTable } from './terminal.ts'

const formatDay = (moment: Date): string => moment.toISOString().slice(0, 10)

export function describeFact({ subject, attribute, value }: Fact): string {
  return `${subject} · ${attribute}: ${value}`
}

export function printFacts(facts: readonly Fact[]): void {
  printTable([['since', 'until', 'about', 'fact', 'id'], ...facts.map(toRow)])
}

function toRow(fact: Fact): string[] {
  const { id, validFrom, validUntil, subject, attribute, value, pinnedAt, rejectedAt, origin } = fact
  const marks = [
    pinnedAt === undefined ? '' : '[pinned]',
    rejectedAt === undefined ? '' : '[rejected]',
    origin === 'given' ? '[added]' : '',
  ]
  const what = clip([`${attribute}: ${value}`, ...marks].filter(Boolean).join(' '), 70)
  return [
    formatDay(validFrom),
    validUntil === undefined ? '' : formatDay(validUntil),
    clip(subject, 20),
    what,
    id,
  ]
}
