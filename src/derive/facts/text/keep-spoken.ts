// Removes everything from a message that its writer did not say: code, quotations, pasted drafts, injected
// memory, captions in brackets, addresses. Each is replaced by a full stop or a space, so that the text on both
// sides is not joined.

/** Anything longer is a paste; what people say themselves is at its beginning. */
const MOST_CHARACTERS = 6000

const CODE = /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)/g
const INLINE_CODE = /`[^`\n]*`/g
const TAGGED = /<(\w[\w-]*)(?:\s[^>]*)?>[\s\S]*?<\/\1>/g
const BRACKETED = /\[[^\]\n]*\](?:\([^)\n]*\))?/g
const QUOTED_LINE = /^[ \t]*(?:>|\|).*$/gm
const HEADING = /^[ \t]*#{1,6}[ \t].*$/gm
const ADDRESS = /\b(?:https?:\/\/|www\.)\S+|\S+@\S+\.\w+/g
const QUOTATION = /["“«]([^"“”«»\n]{1,400})["”»]/g
const TELLS = /\b(?:i|i'm|you|we|he|she|they|it's|is|are|was|my|your)\b/i
const FILLED_FIELD = /^[ \t]*[-*•]?[ \t]*\**[\w ]{1,30}\**:\**[ \t]+\S.*$/gm
const PASTE =
  /(?:\b(?:here(?:'s| is| are)|below|following|draft|letter|essay|e-?mail|paragraph|statement|bio|story|poem|text|article|code|example|message|post|translate|rewrite|proofread|rephrase|summari[sz]e|edit|review|improve|correct|says?|said|reads?|wrote|transcript|output|log|error|prompt)\b[^\n:]{0,120}):[ \t]*(?:\n|(?=["'“]))[\s\S]*$/i
const INLINE_PASTE =
  /\b(?:translate|rewrite|proofread|rephrase|paraphrase|summari[sz]e|correct|sentence|headline|lyrics|caption|bio|draft|tagline|subject line|for example|e\.g\.)\b[^\n:]{0,80}:[^\n]*/gi

/** The text that the writer of a message says in their own name. */
export function keepSpoken(text: string, injected?: RegExp): string {
  const own = injected === undefined ? text : text.replace(everywhere(injected), '\n')
  const plain = own.slice(0, MOST_CHARACTERS).replaceAll('’', "'").replaceAll('‘', "'")
  const hasMarks = /[`~<[>|#@"“«:]|www\./.test(plain)
  return hasMarks ? withoutForeign(plain) : plain
}

function everywhere(expression: RegExp): RegExp {
  return expression.global ? expression : new RegExp(expression.source, `${expression.flags}g`)
}

function withoutForeign(text: string): string {
  const spoken = text
    .replace(CODE, '\n')
    .replace(TAGGED, '\n')
    .replace(QUOTED_LINE, '')
    .replace(HEADING, '')
    .replace(BRACKETED, ' ')
    .replace(ADDRESS, ' … ')
    .replace(PASTE, '\n')
    .replace(INLINE_PASTE, '\n')
    .replace(INLINE_CODE, ' … ')
    .replace(QUOTATION, keepTitle)
  return isForm(spoken) ? spoken.replace(FILLED_FIELD, '') : spoken
}

// One "budget: 400" is how people write; several in a row are a form that was pasted.
const isForm = (text: string): boolean => (text.match(FILLED_FIELD)?.length ?? 0) > 1

// Keeps quoted titles, which are short and contain no speech, and removes what somebody said.
function keepTitle(_: string, quoted: string): string {
  const isTitle = /^[\p{Lu}\p{N}]/u.test(quoted) && quoted.split(' ').length <= 7 && !TELLS.test(quoted)
  return isTitle ? quoted.replace(/[.!?,]/g, '') : ' … '
}
