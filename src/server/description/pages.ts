// The API description for people: a single page without scripts or external resources.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ApiAnswer, ApiDocument, Operation, Parameter } from './openapi.ts'

type Json = Readonly<Record<string, unknown>>

const STYLE = `
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
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (found) => ENTITIES[found] ?? found)

function htmlPage(title: string, body: string): string {
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

function docsPage(document: ApiDocument): string {
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
<p>${inline(document.info.description)} For programs: <a href="/openapi.json">/openapi.json</a>.</p>
<p>Send an API key as <code>Authorization: Bearer &lt;key&gt;</code>; each route lists the scope it requires.</p>
<nav>${links.join('')}</nav>
${sections.join('\n')}
<h2 id="schemas">Schemas</h2>
${Object.entries(document.components.schemas).map(schemaHtml).join('\n')}`,
  )
}

interface ListedOperation {
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
<p class="quiet">Key: ${operation['x-scope'] === 'public' ? 'none' : operation['x-scope']}</p>
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

/**
 * Writes a schema as a TypeScript-like type: `{ id: string, tags?: string[] }`. Named schemas appear by name.
 */
export function toNotation(schema: Json): string {
  const { $ref, const: only, enum: choices, anyOf, oneOf, allOf } = schema
  if (typeof $ref === 'string') return nameOf($ref)
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(' | ')
  const union = anyOf ?? oneOf
  if (Array.isArray(union)) return [...new Set(union.map(toNotation))].join(' | ')
  if (Array.isArray(allOf)) return allOf.map(toNotation).join(' & ')
  const { type } = schema
  if (Array.isArray(type)) return type.map((one) => byType({ ...schema, type: one })).join(' | ')
  return byType(schema)
}

const nameOf = (reference: string): string => reference.split('/').at(-1) ?? reference

function byType(schema: Json): string {
  switch (schema['type']) {
    case 'string':
      return schema['format'] === 'date-time' ? 'time' : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return arrayNotation(schema)
    case 'object':
      return objectNotation(schema)
    default:
      return 'any'
  }
}

function arrayNotation({ items, prefixItems }: Json): string {
  if (Array.isArray(prefixItems)) return `[${prefixItems.map(toNotation).join(', ')}]`
  const item = toNotation((items ?? {}) as Json)
  return item.includes(' ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
}

function objectNotation({ properties, required = [], additionalProperties }: Json): string {
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? toNotation(additionalProperties as Json) : 'any'
    return `{ [key]: ${value} }`
  }
  const fields = Object.entries(properties as Record<string, Json>).map(
    ([name, field]) =>
      `${name}${(required as readonly string[]).includes(name) ? '' : '?'}: ${toNotation(field)}`,
  )
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

interface Page {
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

/** Pages served next to the routes, by path. */
export function pagesOf(document: ApiDocument): Readonly<Record<string, Page>> {
  return {
    '/': html(homePage()),
    '/docs': html(docsPage(document)),
    '/openapi.json': { text: JSON.stringify(document), headers: { 'content-type': 'application/json' } },
  }
}

/**
 * Content security policy: nothing may run or load except the page's inline style, identified by its digest.
 */
const STYLE_DIGEST = createHash('sha256').update(STYLE).digest('base64')
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const html = (text: string): Page => ({
  text,
  headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY },
})

const homePage = (): string =>
  htmlPage(
    'Recollect',
    `<h1>Recollect</h1>
<p>Memory for LLM chats. The server is running; the web app is not built.</p>
<ul>
<li><a href="/docs">The HTTP API</a>, and its <a href="/openapi.json">OpenAPI document</a></li>
<li><a href="/api/health">Health</a> and <a href="/metrics">Prometheus metrics</a></li>
</ul>`,
  )

/** The version of the package. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version
