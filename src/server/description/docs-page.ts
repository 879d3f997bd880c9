// The API description for people: a single page without scripts or external resources.

import { toNotation } from './notation.ts'
import type { ApiAnswer, ApiDocument, Operation, Parameter } from './openapi.ts'

type Json = Readonly<Record<string, unknown>>

export const STYLE = `
:root { color-scheme: light dark; --line: #8884; --quiet: #777; --back: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
nav { columns: 3 12rem; margin: 1rem 0; }
nav a { display: block; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
details { border-bottom: 1px solid var(--line); padding: 0.4rem 0; }
summary { cursor: pointer; }
summary code b { display: inline-block; min-width: 4rem; }
code, pre { font: 14px/1.5 ui-monospace, monospace; }
pre { background: var(--back); padding: 0.6rem; overflow-x: auto; white-space: pre-wrap; }
table { border-collapse: collapse; }
td { padding: 0.1rem 1rem 0.1rem 0; vertical-align: top; }
.quiet { color: var(--quiet); }
`

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (found) => ENTITIES[found] ?? found)

export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`
}

export function docsPage(document: ApiDocument): string {
  const operations = listOperations(document)
  const nouns = [...new Set(operations.map(({ operation }) => operation.tags[0]))]
  const links = [...nouns, 'Schemas'].map((noun) => `<a href="#${toAnchor(noun)}">${noun}</a>`)
  const sections = nouns.map((noun) => {
    const ofNoun = operations.filter(({ operation }) => operation.tags[0] === noun)
    return `<h2 id="${toAnchor(noun)}">${noun}</h2>\n${ofNoun.map(toHtml).join('\n')}`
  })
  return htmlPage(
    'Recollect: HTTP API',
    `<h1>Recollect: HTTP API</h1>
<p>${inline(document.info.description)} The same for programs: <a href="/openapi.json">/openapi.json</a>.</p>
<p>Where a key is needed it is sent as <code>Authorization: Bearer &lt;key&gt;</code>; each route says what the key must allow.</p>
<nav>${links.join('')}</nav>
${sections.join('\n')}
<h2 id="schemas">Schemas</h2>
${Object.entries(document.components.schemas).map(schemaHtml).join('\n')}`,
  )
}

export interface ListedOperation {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export function listOperations({ paths }: ApiDocument): readonly ListedOperation[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
}

const toAnchor = (text: string): string => text.toLowerCase().replaceAll(' ', '-')

/** Escapes text and renders backticks as code. */
const inline = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

function toHtml({ method, path, operation }: ListedOperation): string {
  const { summary, description, parameters = [], requestBody } = operation
  const body = requestBody && notationOf(requestBody.content)
  const [status, answer] = mainAnswer(operation)
  return `<details id="${operation.operationId}"><summary><code><b>${method}</b> ${escapeHtml(path)}</code> ${inline(summary)}</summary>
${description === undefined ? '' : `<p>${inline(description)}</p>`}
<p class="quiet">Key: ${operation['x-scope'] === 'public' ? 'none needed' : operation['x-scope']}</p>
${parameters.length === 0 ? '' : `<table>${parameters.map(parameterHtml).join('')}</table>`}
${body === undefined ? '' : `<p>Body</p><pre>${body}</pre>`}
<p>Answer ${status}${answer?.content === undefined ? '' : `</p><pre>${notationOf(answer.content)}</pre><p>`}</p>
</details>`
}

/** The success response of a request that does not ask for progress. */
export function mainAnswer({ responses }: Operation): readonly [status: string, answer: ApiAnswer] {
  const isProgress = ({ content = {} }: ApiAnswer) => Object.keys(content).join() === 'text/event-stream'
  const all = Object.entries(responses)
  return all.find(([, answer]) => !isProgress(answer)) ?? all[0] ?? ['', { description: '' }]
}

function notationOf(content: Readonly<Record<string, { readonly schema: Json }>>): string {
  return Object.entries(content)
    .map(([type, { schema }]) =>
      type === 'application/json' ? linked(toNotation(schema)) : escapeHtml(type),
    )
    .join('\n')
}

/** Links the names of schemas to their definitions. */
const linked = (notation: string): string =>
  escapeHtml(notation).replaceAll(
    /\b[A-Z]\w+\b(?!&quot;)/g,
    (name) => `<a href="#schema-${name}">${name}</a>`,
  )

function parameterHtml({ name, in: place, required, description = '', schema }: Parameter): string {
  const type = escapeHtml(toNotation(schema))
  return `<tr><td><code>${escapeHtml(name)}</code></td><td class="quiet">${place}${required ? '' : ', optional'}</td><td><code>${type}</code></td><td>${inline(description)}</td></tr>`
}

function schemaHtml([name, schema]: [string, Json]): string {
  const { description } = schema
  const about = typeof description === 'string' ? `<p>${inline(description)}</p>` : ''
  return `<details id="schema-${name}"><summary><code>${name}</code></summary>${about}<pre>${linked(toNotation(schema))}</pre></details>`
}
