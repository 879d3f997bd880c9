import type { Note } from '../../domain/note.ts'
import type { Found } from '../found.ts'
import type { TextJudge } from './weigh-text.ts'

export function findNotes(
  notes: readonly Note[],
  judge: TextJudge,
  { ideal, near }: { readonly ideal: number; readonly near?: ReadonlyMap<string, number> },
): readonly Found[] {
  return notes.flatMap((note) => {
    const { score, similarity, why } = judge.judge(
      `${note.source.title ?? ''}\n${note.text}`,
      near?.get(note.id),
    )
    if (similarity === 0) return []
    const source = note.source.title ?? note.source.url ?? note.source.tool
    return [
      {
        kind: 'note' as const,
        id: note.id,
        text: note.text,
        score: Math.min(1, score / ideal),
        similarity,
        why,
        messageIds: note.messageIds,
        ...(note.conversationId !== undefined && { conversationId: note.conversationId }),
        createdAt: note.createdAt,
        ...(source !== undefined && { source }),
      },
    ]
  })
}
