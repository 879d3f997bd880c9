// Where a chat shows what happens: words for people, or one line of JSON for each event.

import type { ChatEvent } from '../../index.ts'
import { dim, print, red, yellow } from '../terminal.ts'

export interface ChatScreen {
  show(event: ChatEvent): void
  /** What a command of the chat answers: shown to people, or as JSON. */
  tell(value: unknown, show: () => void): void
  note(text: string): void
}

/** One line for each event, so that a program can read along. */
export const jsonScreen: ChatScreen = {
  show: (event) => print(JSON.stringify(event)),
  tell: (value) => print(JSON.stringify(value)),
  note: () => undefined,
}

/** What moves the cursor or changes colours stays out of the terminal, whoever wrote it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is meant
const toPlain = (text: string): string => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')

export class TextScreen implements ChatScreen {
  readonly #told = new Set<string>()

  show(event: ChatEvent): void {
    if (event.type === 'text') process.stdout.write(toPlain(event.text))
    else if (event.type === 'notice') this.#notice(event)
    else if (event.type === 'searched') this.note(`searched the web: ${event.notes.length} notes`)
    else if (event.type === 'answered') this.#end(event)
  }

  tell(_value: unknown, show: () => void): void {
    show()
  }

  note(text: string): void {
    process.stderr.write(`${dim(toPlain(text))}\n`)
  }

  /** That there is no model is told once: the answers say it themselves. */
  #notice({ code, text, hint }: Extract<ChatEvent, { type: 'notice' }>): void {
    if (code === 'no-model' && this.#told.has(code)) return
    this.#told.add(code)
    process.stderr.write(`${yellow(toPlain(text))}${hint === undefined ? '' : ` ${dim(toPlain(hint))}`}\n`)
  }

  #end({ ending, message, error }: Extract<ChatEvent, { type: 'answered' }>): void {
    print('')
    if (ending === 'stopped')
      this.note(message === undefined ? 'stopped' : 'stopped; what was said until then is kept')
    if (ending !== 'failed') return
    const hint = error?.hint === undefined ? '' : ` ${dim(toPlain(error.hint))}`
    process.stderr.write(
      `${red('the model failed:')} ${toPlain(error?.message ?? 'no reason given')}${hint}\n`,
    )
  }
}
