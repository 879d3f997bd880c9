// "Compatible" servers differ in which fields of a request they take. OpenAI's newer models want the limit of tokens
// under another name and no temperature; many local servers know no response format. A refusal that a known field
// explains is answered by sending the request once more without it, and what helped is kept for later requests.

type Change = 'rename-token-limit' | 'drop-temperature' | 'drop-format'
type Body = Record<string, unknown>

/** Statuses of a server that did not understand. Some break over a schema they cannot use. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 422, 500, 501])

export function adaptingFetch(send: typeof fetch): typeof fetch {
  const learned = new Set<Change>()
  return async (input, init) => {
    const body: Body = JSON.parse(String(init?.body))
    const changes = new Set(learned)
    for (;;) {
      const sent = changed(body, changes)
      const response = await send(input, { ...init, body: JSON.stringify(sent) })
      if (response.ok) {
        for (const change of changes) learned.add(change)
        return response
      }
      const { answer, change } = await findChange(sent, response)
      if (change === undefined) return answer
      changes.add(change)
    }
  }
}

function changed(body: Body, changes: ReadonlySet<Change>): Body {
  const { max_tokens: limit, temperature, response_format: format, ...rest } = body
  const limitName = changes.has('rename-token-limit') ? 'max_completion_tokens' : 'max_tokens'
  return {
    ...rest,
    ...(limit !== undefined && { [limitName]: limit }),
    ...(!changes.has('drop-temperature') && { temperature }),
    ...(!changes.has('drop-format') && { response_format: format }),
  }
}

async function findChange(sent: Body, response: Response): Promise<{ answer: Response; change?: Change }> {
  if (!REFUSALS.has(response.status)) return { answer: response }
  const text = await response.text()
  const { status, statusText, headers } = response
  const answer = new Response(text, { status, statusText, headers })
  const change = changeFor(sent, { text, status })
  return change === undefined ? { answer } : { answer, change }
}

function changeFor(sent: Body, { text, status }: { text: string; status: number }): Change | undefined {
  if (sent['max_tokens'] !== undefined && text.includes('max_completion_tokens')) return 'rename-token-limit'
  if (sent['temperature'] !== undefined && /temperature/i.test(text)) return 'drop-temperature'
  const isAboutFormat = /format|schema|grammar|structured|guided/i.test(text)
  const isUnexplained = status === 400 || status === 422
  return sent['response_format'] !== undefined && (isAboutFormat || isUnexplained) ? 'drop-format' : undefined
}
