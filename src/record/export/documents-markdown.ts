// Documents for people: what each says, under its name.

import type { Store } from '../../store/store.ts'
import type { ExportRequest } from './export-request.ts'
import { toMinute } from './markdown.ts'

export async function* documentsAsMarkdown(
  store: Store,
  { workspace, documents }: ExportRequest,
): AsyncGenerator<string> {
  for await (const { id, name, version, updatedAt } of documents) {
    const content = await store.documentText({ workspace, document: id })
    const about = `Document \`${id}\` · version ${version} · ${toMinute(updatedAt)}`
    yield `# ${name}\n\n${about}\n\n${content?.text ?? ''}\n\n`
  }
}
