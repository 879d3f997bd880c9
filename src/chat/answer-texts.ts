// The few words that an answer without a model adds, in six languages.

import { type LanguageCode, languageOfText } from '../domain/function-words.ts'

export interface Texts {
  readonly noModel: string
  readonly unreachable: string
  readonly known: string
  readonly remembered: string
  readonly nothing: string
  readonly saved: string
  readonly file: string
}

export const TEXTS = {
  en: {
    noModel: 'No language model is connected',
    unreachable: 'The language model cannot be reached',
    known: 'This is what I know about you:',
    remembered: 'This is what I remember about it:',
    nothing: 'and I found nothing about this in memory.',
    saved: 'Saved.',
    file: 'This is in the file:',
  },
  de: {
    noModel: 'Es ist kein Sprachmodell verbunden',
    unreachable: 'Das Sprachmodell ist nicht erreichbar',
    known: 'Das weiß ich über dich:',
    remembered: 'Dazu ist gespeichert:',
    nothing: 'und dazu ist nichts gespeichert.',
    saved: 'Gespeichert.',
    file: 'Das steht in der Datei:',
  },
  es: {
    noModel: 'No hay ningún modelo de lenguaje conectado',
    unreachable: 'No se puede contactar con el modelo de lenguaje',
    known: 'Esto es lo que sé de ti:',
    remembered: 'Esto es lo que recuerdo:',
    nothing: 'y no he encontrado nada sobre esto en la memoria.',
    saved: 'Guardado.',
    file: 'Esto contiene el archivo:',
  },
  fr: {
    noModel: "Aucun modèle de langage n'est connecté",
    unreachable: 'Le modèle de langage est injoignable',
    known: 'Voici ce que je sais de toi :',
    remembered: 'Voici ce dont je me souviens :',
    nothing: "et je n'ai rien trouvé à ce sujet en mémoire.",
    saved: 'Enregistré.',
    file: 'Voici ce que contient le fichier :',
  },
  pt: {
    noModel: 'Nenhum modelo de linguagem está conectado',
    unreachable: 'Não foi possível contatar o modelo de linguagem',
    known: 'Isto é o que sei sobre você:',
    remembered: 'Isto é o que eu lembro:',
    nothing: 'e não encontrei nada sobre isso na memória.',
    saved: 'Salvo.',
    file: 'Isto está no arquivo:',
  },
  it: {
    noModel: 'Nessun modello linguistico è collegato',
    unreachable: 'Il modello linguistico non è raggiungibile',
    known: 'Ecco cosa so di te:',
    remembered: 'Ecco cosa ricordo:',
    nothing: 'e non ho trovato nulla al riguardo in memoria.',
    saved: 'Salvato.',
    file: 'Ecco cosa contiene il file:',
  },
} as const satisfies Readonly<Record<LanguageCode, Texts>>

/** In the language of the question; if that is unknown, of what was found. */
export function textsFor(question: string, found: readonly string[]): Texts {
  return TEXTS[languageOfText(question) ?? languageOfText(found.join('\n')) ?? 'en']
}
