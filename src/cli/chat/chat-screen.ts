// Output of a chat: text for people, or one line of JSON per event.

import type { ChatEvent } from '../../index.ts'
import { countOf, dim, print, red, yellow } from '../terminal.ts'

export interface ChatScreen {
  show(event: ChatEvent): void
  /** The result of a slash command: printed with `show`, or `value` as JSON. */
  answer(value: unknown, show: () => void): void
  note(text: string): void
}

/** One line per event, for programs. */
export const jsonScreen: ChatScreen = {
  show: (event) => print(JSON.stringify(event)),
  answer: (value) => print(JSON.stringify(value)),
  note: () => undefined,
}

/** Removes control characters, so that no text can move the cursor or change colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the point
const toPlain = (text: string): string => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')

export class TextScreen implements ChatScreen {
  readonly #shownNotices = new Set<string>()

  show(event: ChatEvent): void {
    if (event.type === 'text') process.stdout.write(toPlain(event.text))
    else if (event.type === 'notice') this.#notice(event)
    else if (event.type === 'searched') this.note(`searched the web: ${countOf(event.notes.length, 'note')}`)
    else if (event.type === 'answered') this.#end(event)
  }

  answer(_value: unknown, show: () => void): void {
    show()
  }

  note(text: string): void {
    process.stderr.write(`${dim(toPlain(text))}\n`)
  }

  /** The "no model" notice is shown once: the answers mention it themselves. */
  #notice({ code, text, hint }: Extract<ChatEvent, { type: 'notice' }>): void {
    if (code === 'no-model' && this.#shownNotices.has(code)) return
    this.#shownNotices.add(code)
    process.stderr.write(`${yellow(toPlain(text))}${hint === undefined ? '' : ` ${dim(toPlain(hint))}`}\n`)
  }

  #end({ ending, message, error }: Extract<ChatEvent, { type: 'answered' }>): void {
    print('')
    if (ending === 'stopped')
      this.note(message === undefined ? 'stopped' : 'stopped, the partial answer is saved')
    if (ending !== 'failed') return
    const hint = error?.hint === undefined ? '' : ` ${dim(toPlain(error.hint))}`
    process.stderr.write(`${red('the model failed:')} ${toPlain(error?.message ?? 'unknown error')}${hint}\n`)
  }
}
